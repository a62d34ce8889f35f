// What the C interfaces of both versions of FMI share.
#pragma once

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

#include "fmu.hpp"
#include "guarded.hpp"

#ifdef _WIN32
#define WW_EXPORT __declspec(dllexport)
#else
#define WW_EXPORT __attribute__((visibility("default")))
#endif

// Names made of parts that are macros themselves.
#define WW_JOIN(a, b) a##b
#define WW_JOINED(a, b) WW_JOIN(a, b)
#define WW_THREE(a, b, c) WW_JOINED(WW_JOINED(a, b), c)

namespace ww {

// A new C, if `fill` says that it is good.
template <class C, class F>
C* guarded_make(F&& fill) {
    C* made = nullptr;
    guarded([&] {
        auto draft = std::make_unique<C>();
        if (fill(*draft)) made = draft.release();
    });
    return made;
}

// A path from a URI such as `file:///tmp/a%20b/resources`, or what is one already; without a separator at its end.
inline std::string path_of(const std::string& location) {
    std::string path = location;
    if (path.rfind("file:", 0) == 0) {
        path = path.substr(5);
        if (path.rfind("//", 0) == 0) {
            const size_t slash = path.find('/', 2);
            path = slash == std::string::npos ? "" : path.substr(slash);  // without the host
        }
        std::string plain;
        for (size_t i = 0; i < path.size(); ++i) {
            if (path[i] == '%' && i + 2 < path.size()) {
                plain += char(std::strtol(path.substr(i + 1, 2).c_str(), nullptr, 16));
                i += 2;
            } else {
                plain += path[i];
            }
        }
        path = plain;
#ifdef _WIN32
        if (path.size() > 2 && path[0] == '/' && path[2] == ':') path = path.substr(1);
#endif
    }
    while (path.size() > 1 && (path.back() == '/' || path.back() == '\\')) path.pop_back();
    return path;
}

// States of a whole instance, for its environment: bytes on the heap; an existing one is written over.
inline bool saved(Fmu& fmu, void** state) {
    return guarded([&] {
               auto bytes = fmu.save();
               if (*state) {
                   *static_cast<std::vector<char>*>(*state) = std::move(bytes);
               } else {
                   *state = new std::vector<char>(std::move(bytes));
               }
           }) >= 0;
}

inline bool restored(Fmu& fmu, void* state) {
    bool good = false;
    const auto* bytes = static_cast<std::vector<char>*>(state);
    if (!bytes) {
        fmu.message = "there is no saved state";
        return false;
    }
    return guarded([&] { good = fmu.restore(bytes->data(), bytes->size()); }) >= 0 && good;
}

inline bool deserialised(const char* bytes, size_t size, void** state) {
    return guarded([&] {
               if (*state) {
                   static_cast<std::vector<char>*>(*state)->assign(bytes, bytes + size);
               } else {
                   *state = new std::vector<char>(bytes, bytes + size);
               }
           }) >= 0;
}

}  // namespace ww
