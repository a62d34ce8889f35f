// A model in memory: tables and machine code in one piece, read from a file of an FMU's `resources`, put where there is room, and its
// pointers set. Each instance has one of its own.
#pragma once

#include <cstdint>
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

#ifdef _WIN32
#define NOMINMAX
#define WIN32_LEAN_AND_MEAN
#include <windows.h>
#else
#include <sys/mman.h>
#endif
#if defined(__x86_64__)
#include <cpuid.h>
#endif

#include "program.hpp"
#include "sealed.hpp"

namespace ww {

struct ImageHead {
    char magic[8];
    uint64_t bytes, code_first, code_bytes;  // of the image; where its code is, whole pages
    uint64_t pointers, imports;              // how many there are of each
    uint64_t root;                           // where its `FmuModel` is
    uint64_t digest;                         // of all that follows: CRC-32, as zip has it
};

struct ImagePointer {
    uint64_t place, target;
};

struct ImageImport {
    uint64_t place;
    char name[24];
};

constexpr char image_magic[9] = "WWFMU001";

inline WW_KERNEL void* image_memset(void* to, int value, size_t size) { return std::memset(to, value, size); }
inline WW_KERNEL void* image_memcpy(void* to, const void* from, size_t size) { return std::memcpy(to, from, size); }
inline WW_KERNEL void* image_memmove(void* to, const void* from, size_t size) { return std::memmove(to, from, size); }

#if defined(__x86_64__)
// Asked of the processor itself: not every compiler's library has `__builtin_cpu_supports`. The system must keep the wide registers, too.
inline bool has_avx2_and_fma() {
    constexpr unsigned fma = 1u << 12, system_saves = 1u << 27, avx = 1u << 28, avx2 = 1u << 5, wide = 6;
    unsigned a = 0, b = 0, c = 0, d = 0, saved = 0;
    if (!__get_cpuid(1, &a, &b, &c, &d) || (c & (fma | system_saves | avx)) != (fma | system_saves | avx)) return false;
    __asm__("xgetbv" : "=a"(saved), "=d"(d) : "c"(0));
    return (saved & wide) == wide && __get_cpuid_count(7, 0, &a, &b, &c, &d) && (b & avx2);
}
#endif

class Image {
  public:
    Image() = default;
    Image(const Image&) = delete;
    ~Image() { release(); }

    // What is wrong, or empty.
    std::string load(const std::string& path) {
        std::vector<char> content;
        if (!read(path, content)) return path + " cannot be read";
        ImageHead head;
        if (content.size() < sizeof head) return path + " is too short";
        std::memcpy(&head, content.data(), sizeof head);
        if (std::memcmp(head.magic, image_magic, sizeof head.magic)) return path + " is not a model of this version of Wheelwork";
        const uint64_t limit = content.size();
        if (head.pointers > limit || head.imports > limit || head.bytes > limit) return path + " is damaged";
        const uint64_t lists = sizeof head + head.pointers * sizeof(ImagePointer) + head.imports * sizeof(ImageImport);
        if (limit != lists + head.bytes) return path + " is damaged: its length is not what was written";
        if (crc32(content.data() + sizeof head, content.size() - sizeof head) != head.digest) return path + " is damaged: it is not what was written";
        if (!reserve(head.bytes)) return "there is no memory for the model";
        std::memcpy(base_, content.data() + lists, head.bytes);
        const char* at = content.data() + sizeof head;
        for (uint64_t k = 0; k < head.pointers; ++k, at += sizeof(ImagePointer)) {
            ImagePointer pointer;
            std::memcpy(&pointer, at, sizeof pointer);
            set(pointer.place, reinterpret_cast<uint64_t>(base_) + pointer.target);
        }
        for (uint64_t k = 0; k < head.imports; ++k, at += sizeof(ImageImport)) {
            ImageImport wanted;
            std::memcpy(&wanted, at, sizeof wanted);
            const uint64_t address = import(wanted.name);
            if (!address) return path + " needs `" + wanted.name + "`, which this binary does not have";
            set(wanted.place, address);
        }
        if (head.code_bytes && !make_executable(base_ + head.code_first, head.code_bytes))
            return "machine code may not be made executable on this system (a security policy forbids it)";
        root = base_ + head.root;
        return "";
    }

    const char* root = nullptr;

  private:
    static bool read(const std::string& path, std::vector<char>& content) {
        FILE* file = nullptr;
#ifdef _WIN32
        std::wstring wide(MultiByteToWideChar(CP_UTF8, 0, path.c_str(), -1, nullptr, 0), L'\0');
        MultiByteToWideChar(CP_UTF8, 0, path.c_str(), -1, &wide[0], int(wide.size()));
        file = _wfopen(wide.c_str(), L"rb");
#else
        file = std::fopen(path.c_str(), "rb");
#endif
        if (!file) return false;
        char part[65536];
        for (size_t got; (got = std::fread(part, 1, sizeof part, file)) > 0;) content.insert(content.end(), part, part + got);
        const bool good = !std::ferror(file);
        std::fclose(file);
        return good;
    }

    static uint64_t import(const char* name) {
        if (!std::strcmp(name, "memset")) return reinterpret_cast<uint64_t>(&image_memset);
        if (!std::strcmp(name, "memcpy")) return reinterpret_cast<uint64_t>(&image_memcpy);
        if (!std::strcmp(name, "memmove")) return reinterpret_cast<uint64_t>(&image_memmove);
        return 0;
    }

    void set(uint64_t place, uint64_t value) {
        if (place + sizeof value <= bytes_) std::memcpy(base_ + place, &value, sizeof value);
    }

    bool reserve(uint64_t bytes) {
#ifdef _WIN32
        base_ = static_cast<char*>(VirtualAlloc(nullptr, bytes, MEM_COMMIT | MEM_RESERVE, PAGE_READWRITE));
#else
        void* got = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANON, -1, 0);
        base_ = got == MAP_FAILED ? nullptr : static_cast<char*>(got);
#endif
        bytes_ = base_ ? bytes : 0;
        return base_ != nullptr;
    }

    static bool make_executable(char* first, uint64_t bytes) {
        __builtin___clear_cache(first, first + bytes);  // processors of ARM fetch instructions past what was written
#ifdef _WIN32
        DWORD before;
        return VirtualProtect(first, bytes, PAGE_EXECUTE_READ, &before) != 0;
#else
        return mprotect(first, bytes, PROT_READ | PROT_EXEC) == 0;
#endif
    }

    void release() {
        if (!base_) return;
#ifdef _WIN32
        VirtualFree(base_, 0, MEM_RELEASE);
#else
        munmap(base_, bytes_);
#endif
        base_ = nullptr;
    }

    char* base_ = nullptr;
    uint64_t bytes_ = 0;
};

}  // namespace ww
