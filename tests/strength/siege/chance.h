// Chance, as rules/core/search.py and rules/core/chance.py draw it, for the copy in think.cpp.

#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

using std::string, std::vector, std::to_string;
using u32 = uint32_t;
using u64 = uint64_t;

static const u32 K[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5, 0xd807aa98,
    0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174, 0xe49b69c1, 0xefbe4786,
    0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da, 0x983e5152, 0xa831c66d, 0xb00327c8,
    0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967, 0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13,
    0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85, 0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819,
    0xd6990624, 0xf40e3585, 0x106aa070, 0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a,
    0x5b9cca4f, 0x682e6ff3, 0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7,
    0xc67178f2};

static u32 turned(u32 x, int n) { return x >> n | x << (32 - n); }

static void sha256(string text, u32 h[8]) {
    static const u32 first[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
    memcpy(h, first, sizeof first);
    u64 bits = text.size() * 8;
    text += '\x80';
    while (text.size() % 64 != 56) text += '\0';
    for (int i = 7; i >= 0; i--) text += char(bits >> 8 * i);
    for (size_t at = 0; at < text.size(); at += 64) {
        u32 w[64], v[8];
        for (int i = 0; i < 16; i++) {
            w[i] = 0;
            for (int byte = 0; byte < 4; byte++) w[i] = w[i] << 8 | (unsigned char)text[at + 4 * i + byte];
        }
        for (int i = 16; i < 64; i++) {
            u32 a = w[i - 15], b = w[i - 2];
            w[i] = w[i - 16] + (turned(a, 7) ^ turned(a, 18) ^ a >> 3) + w[i - 7] +
                   (turned(b, 17) ^ turned(b, 19) ^ b >> 10);
        }
        memcpy(v, h, sizeof v);
        for (int i = 0; i < 64; i++) {
            u32 e = v[4], a = v[0];
            u32 one = v[7] + (turned(e, 6) ^ turned(e, 11) ^ turned(e, 25)) + ((e & v[5]) ^ (~e & v[6])) + K[i] + w[i];
            u32 two = (turned(a, 2) ^ turned(a, 13) ^ turned(a, 22)) + ((a & v[1]) ^ (a & v[2]) ^ (v[1] & v[2]));
            memmove(v + 1, v, 7 * sizeof *v);
            v[4] += one;
            v[0] = one + two;
        }
        for (int i = 0; i < 8; i++) h[i] += v[i];
    }
}

struct Luck {  // random_numbers; what was drawn stays, so that playouts can share it
    string seed;
    vector<u32> drawn;
    size_t next_at = 0;
    explicit Luck(string of) : seed(std::move(of)) {}
    u32 at(size_t place) {
        while (drawn.size() <= place) {
            u32 block[8];
            sha256(seed + ":" + to_string(drawn.size() / 8), block);
            drawn.insert(drawn.end(), block, block + 8);
        }
        return drawn[place];
    }
    u32 next() { return at(next_at++); }
};

template <class T> static void shuffle(const string &seed, int ordinal, vector<T> &cards) {
    Luck luck(seed + ":" + to_string(ordinal));
    for (u64 i = cards.size(); i-- > 1;) {
        u64 bound = i + 1, rest = -bound % bound, x;
        do {
            x = luck.next();
            x = x << 32 | luck.next();
        } while (x > u64(-1) - rest);
        std::swap(cards[i], cards[x % bound]);
    }
}
