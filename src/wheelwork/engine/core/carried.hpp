// What a run carries from one step to the next, as bytes: written down, the run can go on from there in another process, with the
// same digits where steps are fixed.
#pragma once

#include <cstring>
#include <type_traits>
#include <vector>

namespace ww {

// Called with one variable after the other, it writes them down, or gives them what was written.
class Carried {
  public:
    Carried() = default;
    Carried(const char* from, size_t size) : from_(from), left_(size) {}

    std::vector<char> bytes;
    bool whole = true;  // whether there was enough to read
    bool writing() const { return !from_; }

    template <class T>
    void operator()(T& x) {
        static_assert(std::is_trivially_copyable<T>::value, "numbers and vectors of numbers");
        raw(&x, sizeof x);
    }

    template <class T>
    void operator()(std::vector<T>& x) {
        size_t size = x.size();
        (*this)(size);
        if (!whole || (from_ && size > left_ / sizeof(T))) {
            whole = false;
            return;
        }
        x.resize(size);
        raw(x.data(), size * sizeof(T));
    }

  private:
    void raw(void* x, size_t size) {
        if (size == 0) return;  // an empty vector has no place
        if (!from_) {
            const char* begin = static_cast<const char*>(x);
            bytes.insert(bytes.end(), begin, begin + size);
        } else if (size <= left_) {
            std::memcpy(x, from_, size);
            from_ += size, left_ -= size;
        } else {
            whole = false;
        }
    }

    const char* from_ = nullptr;
    size_t left_ = 0;
};

}  // namespace ww
