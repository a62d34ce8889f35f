// What the C interfaces of both versions of FMI share.
#pragma once

#include <algorithm>
#include <atomic>
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

// An instance as its environment holds it. Nothing is thrown into the environment, and of two threads in one instance the second is
// refused: it keeps the state of the evaluation it is in (the standard leaves it to the environment that there is only one).
class Held {
  public:
    std::unique_ptr<Fmu> fmu;

    // Whether f of it is true; where it is not, `tell` is given the words why, and they last as long as it takes.
    template <class F, class Tell>
    bool call(F&& f, Tell&& tell) {
        if (busy_.test_and_set()) {
            tell("this instance is at work in another thread: make one for each");
            return false;
        }
        bool good = false;
        const int code = guarded([&] { good = f(*fmu); });
        if (code == OUT_OF_MEMORY) {
            tell(out_of_memory);
        } else if (code < 0) {
            tell(failed_inside);
        } else if (!good) {
            tell(fmu->message.c_str());
        }
        busy_.clear();
        return good && code >= 0;
    }

  private:
    std::atomic_flag busy_ = ATOMIC_FLAG_INIT;
};

// What a call of an instance C answers: f of its FMU, or `bad` with the words why in its log.
template <class C, class Status, class F>
Status answer(void* instance, F&& f, Status bad) {
    C& held = *static_cast<C*>(instance);
    return held.call(f, [&](const char* why) { held.log(bad, why); }) ? Status{} : bad;  // OK is the first of both
}

template <class C, class Status>
Status refused(void* instance, Status bad, const char* why) {
    static_cast<C*>(instance)->log(bad, why);
    return bad;
}

// A new C, if `fill` says that it is good; else `tell` is given the words why.
template <class C, class F, class Tell>
C* guarded_make(F&& fill, Tell&& tell) {
    C* made = nullptr;
    std::string why;
    const int code = guarded([&] {
        auto draft = std::make_unique<C>();
        if (fill(*draft, why)) made = draft.release();
    });
    if (!made) tell(code == OUT_OF_MEMORY ? out_of_memory : code < 0 ? failed_inside : why.c_str());
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

// A saved state, for its environment: on the heap; one that is there is written over.
inline void hold(std::vector<char>&& bytes, void** state) {
    if (*state) {
        *static_cast<std::vector<char>*>(*state) = std::move(bytes);
    } else {
        *state = new std::vector<char>(std::move(bytes));
    }
}

}  // namespace ww
