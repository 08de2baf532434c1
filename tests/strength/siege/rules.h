// The rules of Siege of Sunfall within a round, how a position is judged, and the rules of thumb, for the copy in
// think.cpp: rules/siege_of_sunfall/resolution.py and computer.py.

#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "chance.h"

using std::max, std::min;

enum Kind { ARMIES, BOOST, BOW, CROWN, GOLD, HELMET, SWORDS, END };  // as their names sort
enum Phase { USING_GOLD, PLEDGING, AWARDING, OVER };
static const int PILE[7] = {0, 0, 0, 8, 10, 10, 12}, COINS[7] = {0, 0, 0, 12, 12, 10, 10}, CARDS = 51;

struct Card {
    int kind, strength;
    bool attacks() const { return kind == BOW || kind == HELMET || kind == SWORDS; }
    bool operator<(const Card &other) const {
        return kind != other.kind ? kind < other.kind : strength < other.strength;
    }
};

struct Move {
    int phase, number, boosts;  // number: coins, gold cards, or the seat to which the King awards
    bool operator==(const Move &o) const { return phase == o.phase && number == o.number && boosts == o.boosts; }
};

struct State {
    int seats, number, card_number;
    Card card, pile[16];
    int next, undealt, alive, king, phase, award_to;
    int coins[6], armies[6], held[6][8];
    int winner;
    bool ended;  // the round; `alive` are then its survivors

    bool in(int seat) const { return alive >> seat & 1; }
    int means(int seat) const { return coins[seat] + 2 * held[seat][BOOST]; }
    int after_king(int seat) const { return (seat - king + seats) % seats; }
    int asked() const {
        if (phase != USING_GOLD) return phase == PLEDGING ? alive : 1 << king;
        int mask = 0;
        for (int seat = 0; seat < seats; seat++) mask |= (held[seat][GOLD] > 0) << seat;
        return mask;
    }
    int left_of(int seat) const {
        for (int step = 1; step < seats; step++)
            if (in((seat + step) % seats)) return (seat + step) % seats;
        return (seat + 1) % seats;
    }
    void next_card() {
        if (alive && pile[next].kind != END) {
            card = pile[next++];
            card_number++;
            phase = PLEDGING;
            return;
        }
        for (int seat = 0; seat < seats; seat++)
            if (in(seat)) armies[seat] += 1 + coins[seat];
        ended = true;
        number++;
        if (undealt >= PILE[seats]) return;
        int most = *std::max_element(armies, armies + seats);
        for (int step = seats; step-- > 0;)
            if (armies[(king + step) % seats] == most) winner = (king + step) % seats;
    }
    void give(int seat, bool awarded) {
        if (card.kind == CROWN) {
            king = seat;
            return;
        }
        if (card.kind == ARMIES) armies[seat] += 3;
        else if (++held[seat][card.kind] == 3 && card.attacks()) {
            held[seat][card.kind] = 0;
            armies[seat]++;
            coins[seat] += 5;
        }
        if (awarded && seat == king) king = left_of(seat);
    }
    void open(const int *sealed, const int *boosted) {
        if (phase == USING_GOLD) {
            for (int seat = 0; seat < seats; seat++) {
                coins[seat] += 3 * sealed[seat];
                held[seat][GOLD] -= sealed[seat];
            }
            return next_card();
        }
        int power[6], total = 0, most = 0, least = 99, highest = 0, lowest = 0;
        for (int seat = 0; seat < seats; seat++) {
            coins[seat] -= sealed[seat];
            held[seat][BOOST] -= boosted[seat];
            total += power[seat] = sealed[seat] + 2 * boosted[seat];
            if (in(seat)) most = max(most, power[seat]), least = min(least, power[seat]);
        }
        for (int seat = 0; seat < seats; seat++)
            if (in(seat)) highest |= (power[seat] == most) << seat, lowest |= (power[seat] == least) << seat;
        if (card.strength && total < card.strength) {
            alive &= ~lowest;
            if (lowest >> king & 1) king = left_of(king);
        } else if (most && !(highest & (highest - 1))) {
            give(__builtin_ctz(highest), false);
        } else if (most) {
            if (card.kind == CROWN && highest >> king & 1) highest = (highest | 1 << left_of(king)) & ~(1 << king);
            award_to = highest;
            phase = AWARDING;
            return;
        }
        next_card();
    }
};

// How a position is judged, and the rules of thumb: rules/siege_of_sunfall/computer.py.

static vector<double> chances(const vector<double> &worth, double scale) {
    static const vector<double> less = [] {
        vector<double> found{1.0};
        while (found.size() <= 400) found.push_back(found.back() * 0.96923);
        return found;
    }();
    double most = *std::max_element(worth.begin(), worth.end()), total = 0;
    vector<double> found;
    for (double own : worth) {
        found.push_back(less[min(400, int((most - own) / scale * 32))]);
        total += found.back();
    }
    for (double &weight : found) weight /= total;
    return found;
}

static double chance(const State &s, int seat) {
    static const double sets_worth[3] = {0.0, 0.75, 2.0}, sets_left[4] = {0.0, 0.6, 0.8, 1.0};
    if (s.winner >= 0) return s.winner == seat;
    int to_come = CARDS / PILE[s.seats] - s.number + 1;
    vector<double> wealth(s.seats);
    for (int at = 0; at < s.seats; at++) {
        const int *held = s.held[at];
        wealth[at] = s.armies[at] + 1 + COINS[s.seats];
        wealth[at] += (sets_worth[held[SWORDS]] + sets_worth[held[HELMET]] + sets_worth[held[BOW]]) *
                      sets_left[min(to_come, 3)];
        wealth[at] += 1.0 * held[BOOST] + 2.6 * held[GOLD];
        wealth[at] += 0.2 * (s.king == at);
    }
    return chances(wealth, 4.0 * sqrt(double(to_come)))[seat];
}

static double worth(const State &s, int seat) {
    return chance(s, seat) + (0.05 * s.armies[seat] + 0.15 * s.in(seat));
}

static Move thumb(const State &s, int seat, u32 number) {
    static const int more[3][16] = {{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1},
                                    {0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1},
                                    {0, 0, 0, 1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 2, 2}};
    static const int bids[5][16] = {{0, 0, 0, 0, 0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 4, 4},  // armies
                                    {0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 2, 2},  // boost
                                    {},
                                    {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1},   // crown
                                    {0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 3, 3}};  // gold
    if (s.phase == USING_GOLD) return {USING_GOLD, s.held[seat][GOLD], 0};
    if (s.phase == AWARDING) {
        if (s.award_to >> seat & 1 && s.card.kind != CROWN) return {AWARDING, seat, 0};
        int to = -1;
        for (int at = 0; at < s.seats; at++)
            if (s.award_to >> at & 1 && (to < 0 || s.armies[at] + s.coins[at] < s.armies[to] + s.coins[to])) to = at;
        return {AWARDING, to, 0};
    }
    int coins = s.coins[seat], boosts = s.held[seat][BOOST], draw = number & 15, strength = s.card.strength;
    if (!strength) return {PLEDGING, min(bids[s.card.kind][draw], coins), 0};
    int alive = __builtin_popcount(s.alive), together = 0, first = 0, pledge = strength;
    for (int at = 0; at < s.seats; at++) {
        if (!s.in(at)) continue;
        together += s.means(at);
        first += s.means(at) > s.means(seat) ||
                 (s.means(at) == s.means(seat) && s.after_king(at) < s.after_king(seat));
    }
    if (together < strength) return {PLEDGING, min(draw & 1, coins), 0};
    if (alive > 1) pledge = (strength + alive - 1 - first) / alive + more[s.held[seat][s.card.kind]][draw];
    if (pledge > coins && boosts) return {PLEDGING, coins, min(boosts, (pledge - coins + 1) / 2)};
    if (boosts && (number & 48) == 48 && pledge >= 2) return {PLEDGING, min(coins, pledge - 2), 1};
    return {PLEDGING, min(coins, pledge), 0};
}
