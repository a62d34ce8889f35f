// No exception leaves a function of the C interface: those who call it through ctypes could only be ended by one.
#pragma once

#include <new>
#include <stdexcept>
#include <type_traits>

namespace ww {

enum Failure { OUT_OF_MEMORY = -1, FAILED = -2 };
constexpr char out_of_memory[] = "there is not enough memory", failed_inside[] = "the run failed inside";

// What f returns (nothing: 0), or a `Failure`.
template <class F>
int guarded(F&& f) noexcept {
    try {
        if constexpr (std::is_void_v<decltype(f())>) {
            f();
            return 0;
        } else {
            return f();
        }
    } catch (const std::bad_alloc&) {
        return OUT_OF_MEMORY;
    } catch (const std::length_error&) {  // a vector longer than any memory
        return OUT_OF_MEMORY;
    } catch (...) {
        return FAILED;
    }
}

// A new object, or null where there is no memory for it.
template <class F>
auto made(F&& make) noexcept -> decltype(make()) {
    try {
        return make();
    } catch (...) {
        return nullptr;
    }
}

}  // namespace ww
