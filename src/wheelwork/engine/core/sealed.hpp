// Bytes that go out and come back: whether they are those that were written, and for whom.
#pragma once

#include <cstdint>
#include <cstring>
#include <vector>

namespace ww {

// CRC-32, as zip has it; going on from that of what comes before.
inline uint32_t crc32(const char* bytes, size_t size, uint32_t before = 0) {
    uint32_t table[256];
    for (uint32_t k = 0; k < 256; ++k) {
        table[k] = k;
        for (int bit = 0; bit < 8; ++bit) table[k] = table[k] & 1 ? 0xEDB88320u ^ (table[k] >> 1) : table[k] >> 1;
    }
    uint32_t found = ~before;
    for (size_t i = 0; i < size; ++i) found = table[(found ^ static_cast<unsigned char>(bytes[i])) & 255] ^ (found >> 8);
    return ~found;
}

inline uint32_t seal_of(const char* bytes, size_t size, const char* owner) { return crc32(owner, std::strlen(owner), crc32(bytes, size)); }

inline std::vector<char> sealed(std::vector<char> bytes, const char* owner) {
    const uint32_t seal = seal_of(bytes.data(), bytes.size(), owner);
    bytes.resize(bytes.size() + sizeof seal);
    std::memcpy(bytes.data() + bytes.size() - sizeof seal, &seal, sizeof seal);
    return bytes;
}

// Whether they are whole and of this owner; `size` becomes that without the seal.
inline bool unsealed(const char* bytes, size_t& size, const char* owner) {
    uint32_t seal;
    if (size < sizeof seal) return false;
    size -= sizeof seal;
    std::memcpy(&seal, bytes + size, sizeof seal);
    return seal == seal_of(bytes, size, owner);
}

}  // namespace ww
