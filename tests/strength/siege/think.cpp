// A copy of what the computers of Siege of Sunfall think, for matches by the thousand: rules/core/search.py on
// rules/siege_of_sunfall. It finds the same moves, shares and totals to the last bit, some hundred times as fast
// (tests/strength/test_siege.py). And the reader: a search that expects what rivals were seen to do.
// A match itself is played by the rules in Python; tests/strength/siege/copy.py hands over each position.

#include <algorithm>
#include <cstring>
#include <string>
#include <unordered_map>
#include <vector>

#include "rules.h"

// What rivals were seen to pledge, by situation; a situation seen too seldom is looked up without its details.

static const int DETAILS = 5, ENOUGH = 12;
static std::unordered_map<string, vector<Move>> seen;

static string situation(const State &s, int seat, int less) {
    int alive = __builtin_popcount(s.alive), others = 0, first = 0;
    for (int at = 0; at < s.seats; at++) {
        if (at == seat || !s.in(at)) continue;
        others += s.means(at);
        first += s.means(at) > s.means(seat) ||
                 (s.means(at) == s.means(seat) && s.after_king(at) < s.after_king(seat));
    }
    int mean = alive > 1 ? others / (alive - 1) : 0, coins = s.coins[seat], boosts = s.held[seat][BOOST];
    int of_a_kind = s.card.strength ? s.held[seat][s.card.kind] : 0;
    vector<int> facts{less, s.card.strength ? s.card.strength : -s.card.kind, alive};
    if (less == 0) facts.insert(facts.end(), {coins, boosts, of_a_kind, mean, s.card_number, first, s.king == seat});
    if (less == 1) facts.insert(facts.end(), {coins, boosts > 0, of_a_kind, mean / 2, first});
    if (less == 2) facts.insert(facts.end(), {coins / 2, first});
    if (less == 3) facts.insert(facts.end(), {coins / 2});
    return string((const char *)facts.data(), facts.size() * sizeof(int));
}

static Move as_seen(const State &s, int seat, u32 number) {
    for (int less = 0; s.phase == PLEDGING && less < DETAILS; less++) {
        auto found = seen.find(situation(s, seat, less));
        if (found == seen.end() || found->second.size() < ENOUGH) continue;
        Move move = found->second[u64(number) * found->second.size() >> 32];
        return {PLEDGING, min(move.number, s.coins[seat]), min(move.boosts, s.held[seat][BOOST])};
    }
    return thumb(s, seat, number);
}

// The search: rules/core/search.py.

using Policy = Move (*)(const State &, int, u32);

struct Root {
    State state;
    int awaited, in_pile;
    bool has_end;
    vector<Card> unseen;
};

struct Tried {
    Move move;
    double total = 0, share = 0, lost = 0;
    vector<double> totals;
};

static vector<Move> legal_moves(const State &s, int seat) {
    vector<Move> found;
    if (!(s.asked() >> seat & 1)) return found;
    if (s.phase == PLEDGING)
        for (int boosts = 0; boosts <= s.held[seat][BOOST]; boosts++)
            for (int coins = 0; coins <= s.coins[seat]; coins++) found.push_back({PLEDGING, coins, boosts});
    else if (s.phase == USING_GOLD)
        for (int cards = 0; cards <= s.held[seat][GOLD]; cards++) found.push_back({USING_GOLD, cards, 0});
    else
        for (int to = 0; to < s.seats; to++)
            if (s.award_to >> to & 1) found.push_back({AWARDING, to, 0});
    return found;
}

static Move default_move(const State &s, int seat) {
    int alive = __builtin_popcount(s.alive);
    if (s.phase == PLEDGING) return {PLEDGING, min((s.card.strength + alive - 1) / alive, s.coins[seat]), 0};
    if (s.phase == USING_GOLD) return {USING_GOLD, 0, 0};
    for (int step = 1;; step++)
        if (s.award_to >> (seat + step) % s.seats & 1) return {AWARDING, (seat + step) % s.seats, 0};
}

static vector<Tried> candidates(const State &s, int seat) {
    vector<Move> moves = legal_moves(s, seat), rest;
    if (moves.size() > 2 && s.phase == PLEDGING) {
        int strength = s.card.strength, alive = __builtin_popcount(s.alive), most = -1;
        for (int at = 0; at < s.seats; at++)
            if (at != seat && s.in(at)) most = max(most, s.means(at));
        most = (most < 0 ? strength : most) + 1;
        most = min(most, strength ? min(max(strength, 6), (2 * strength + alive - 1) / alive + 3) : 5);
        vector<Move> few;
        for (Move move : moves)
            if (move.number + 2 * move.boosts <= most) few.push_back(move);
        if (!few.empty()) moves = few;
    }
    vector<Tried> found{{default_move(s, seat)}};
    for (Move move : moves)
        if (!(move == found[0].move)) rest.push_back(move);
    size_t most = 23, size = rest.size();
    for (size_t place = 0; place < min(most, size); place++)
        found.push_back({rest[size > most ? place * (size - 1) / (most - 1) : place]});
    return found;
}

static State redeal(const Root &root, const string &seed) {
    State s = root.state;
    vector<Card> cards = root.unseen;
    shuffle(seed + " unseen", 0, cards);
    int count = root.in_pile, end = count;
    if (root.has_end) {
        vector<int> places;
        for (int at = min(max(0, PILE[s.seats] / 2 - s.card_number), count); at <= count; at++) places.push_back(at);
        shuffle(seed + " unseen", 1, places);
        end = places[0];
    }
    std::copy(cards.begin(), cards.begin() + end, s.pile);
    if (root.has_end) s.pile[end] = {END, 0};
    std::copy(cards.begin() + end, cards.begin() + count, s.pile + end + root.has_end);
    return s;
}

// Play the round to its end. `sealed` are the moves of the seats `have`; `own` moves for the seat `me`, `policy` for all
// others.
static void play_on(State &s, int have, int *sealed, int *boosted, Luck &luck, Policy policy, Policy own, int me) {
    for (size_t at = 0; !s.ended; have = 0) {
        int asked = s.asked();
        for (int seat = 0; seat < s.seats; seat++) {
            if (have >> seat & 1) continue;
            Move move = {0, 0, 0};
            if (asked >> seat & 1) move = (seat == me ? own : policy)(s, seat, luck.at(at++));
            sealed[seat] = move.number, boosted[seat] = move.boosts;
        }
        if (s.phase == AWARDING) s.give(sealed[s.king], true), s.next_card();
        else s.open(sealed, boosted);
    }
}

static vector<Tried> search(const Root &root, int seat, const string &seed, int playouts, Policy rivals = thumb,
                            double (*value)(const State &, int) = worth) {
    vector<Tried> in_play = candidates(root.state, seat), out;
    int halvings = 0, rounds = 0;
    for (size_t left = in_play.size() - 1; left; left >>= 1) halvings++;
    for (int halving = 0; halving < halvings; halving++) {
        for (int n = max(1, playouts / halvings / int(in_play.size())); n > 0; n--, rounds++) {
            string now = seed + " " + to_string(rounds);
            State position = redeal(root, now);
            int sealed[6] = {}, boosted[6] = {}, have = position.asked() & ~root.awaited & ~(1 << seat);
            Luck before(now + " sealed"), luck(now + " luck");
            for (int other = 0; other < position.seats; other++) {
                if (!(have >> other & 1)) continue;
                Move move = rivals(position, other, before.next());
                sealed[other] = move.number, boosted[other] = move.boosts;
            }
            for (Tried &tried : in_play) {
                State end = position;
                int coins[6], boosts[6];
                memcpy(coins, sealed, sizeof coins), memcpy(boosts, boosted, sizeof boosts);
                coins[seat] = tried.move.number, boosts[seat] = tried.move.boosts;
                play_on(end, have | 1 << seat, coins, boosts, luck, rivals, thumb, seat);
                tried.totals.push_back(tried.total += value(end, seat));
            }
        }
        auto better = [](const Tried &one, const Tried &other) { return one.total > other.total; };
        std::stable_sort(in_play.begin(), in_play.end(), better);
        auto half = in_play.begin() + (in_play.size() + 1) / 2;
        out.insert(out.begin(), half, in_play.end());
        in_play.erase(half, in_play.end());
    }
    in_play[0].share = 1;
    for (Tried &tried : out) {
        size_t count = tried.totals.size();
        tried.lost = (in_play[0].totals[count - 1] - tried.total) / count;
    }
    in_play.insert(in_play.end(), out.begin(), out.end());
    return in_play;
}

static size_t pick(const vector<double> &shares, u32 number) {
    double left = number / 4294967296.0;
    for (size_t at = 0; at < shares.size(); at++)
        if ((left -= shares[at]) < 0) return at;
    return std::max_element(shares.begin(), shares.end()) - shares.begin();
}

struct Side {
    int seat;
    vector<Tried> tried;
    vector<double> first;
    int turns = 60;

    vector<double> mixture() const {
        vector<double> totals;
        for (const Tried &one : tried) totals.push_back(one.total);
        vector<double> shares = chances(totals, 0.006 * turns);
        double total = 0;
        for (size_t at = 0; at < shares.size(); at++) total += shares[at] *= first[at];
        for (double &share : shares) share /= total;
        return shares;
    }
};

static vector<Tried> mixed(const Root &root, int seat, const string &seed, int playouts) {
    const State &now = root.state;
    int asked = now.asked();
    if (!(asked & ~(1 << seat)) || legal_moves(now, seat).size() == 1)
        return search(root, seat, seed, playouts);
    vector<Side> sides;
    for (int step = 0; step <= now.seats; step++) {
        int at = step ? step - 1 : seat;
        if (!(asked >> at & 1) || (step && at == seat)) continue;
        vector<Tried> tried = candidates(now, at);
        vector<double> first;
        for (const Tried &one : tried) {
            int usual = 0;
            for (u32 number = 0; number < 64; number++) usual += thumb(now, at, number) == one.move;
            first.push_back(95 / 100.0 / 64 * usual + (1 - 95 / 100.0) / tried.size());
        }
        sides.push_back({at, tried, first});
    }
    if (sides[0].tried.size() == 1) return search(root, seat, seed, playouts);
    vector<size_t> order;
    for (int awaited = 0; awaited < 2; awaited++)
        for (size_t at = 0; at < sides.size(); at++)
            if ((root.awaited >> sides[at].seat & 1) == awaited) order.push_back(at);
    Luck luck(seed + " mixed");
    for (int turn = 0; playouts > 0; turn++) {
        Side &learner = sides[turn % 2 ? 1 + turn / 2 % (sides.size() - 1) : 0];
        string name = seed + " " + to_string(turn);
        State position = redeal(root, name);
        int sealed[6] = {}, boosted[6] = {};
        for (size_t at : order) {
            const Side &side = sides[at];
            Move move = side.tried[pick(side.mixture(), luck.next())].move;
            sealed[side.seat] = move.number, boosted[side.seat] = move.boosts;
        }
        Luck later(name + " luck");
        for (Tried &tried : learner.tried) {
            State end = position;
            int coins[6], boosts[6];
            memcpy(coins, sealed, sizeof coins), memcpy(boosts, boosted, sizeof boosts);
            coins[learner.seat] = tried.move.number, boosts[learner.seat] = tried.move.boosts;
            play_on(end, asked, coins, boosts, later, thumb, thumb, seat);
            tried.total += chance(end, learner.seat);
        }
        learner.turns++;
        if (&learner == &sides[0]) playouts -= learner.tried.size();
    }
    vector<Tried> found = sides[0].tried;
    vector<double> kept = sides[0].mixture();
    double most = *std::max_element(kept.begin(), kept.end()), total = 0;
    for (double &part : kept) total += part = part < 0.05 * most ? 0 : part;
    for (size_t at = 0; at < found.size(); at++) found[at].share = kept[at] / total;
    std::stable_sort(found.begin(), found.end(), [](const Tried &a, const Tried &b) { return a.share > b.share; });
    return found;
}

// What Python calls. The numbers of a position are those of copy.py.

static Root root_of(const int *n) {
    Root root{};
    State &s = root.state;
    int unseen;
    for (int *to : {&s.seats, &s.number, &s.card_number, &s.card.kind, &s.card.strength, &s.alive, &s.king, &s.phase,
                    &s.award_to, &root.awaited, &s.undealt, &root.in_pile, &unseen})
        *to = *n++;
    root.has_end = *n++;
    s.winner = -1;
    for (int seat = 0; seat < s.seats; seat++) {
        s.coins[seat] = *n++, s.armies[seat] = *n++;
        for (int kind : {SWORDS, HELMET, BOW, BOOST, GOLD}) s.held[seat][kind] = *n++;
    }
    for (int at = 0; at < unseen; at++, n += 2) root.unseen.push_back({n[0], n[1]});
    std::sort(root.unseen.begin(), root.unseen.end());
    return root;
}

extern "C" {
void forget() { seen.clear(); }

void watch(const int *numbers, int seat, int coins, int boosts) {
    Root root = root_of(numbers);
    Move move = {PLEDGING, coins, boosts};
    for (int less = 0; less < DETAILS; less++) seen[situation(root.state, seat, less)].push_back(move);
}

// way: 0 search, 1 mixed, 2 the reader, who wants nothing but to win. Return the number of moves.
int think(const int *numbers, int seat, const char *seed, int playouts, int way, int *moves, double *figures) {
    Root root = root_of(numbers);
    vector<Tried> found = way == 0   ? search(root, seat, seed, playouts)
                          : way == 1 ? mixed(root, seat, seed, playouts)
                                     : search(root, seat, seed, playouts, as_seen, chance);
    for (const Tried &tried : found) {
        *moves++ = tried.move.number, *moves++ = tried.move.boosts;
        *figures++ = tried.share, *figures++ = tried.total, *figures++ = tried.lost;
    }
    return found.size();
}
}
