"""A district whose drivers are less tidy than those of `src/learn/city.rs`: no loss of `tiebreak learn` is the way in which they choose.

The recipe: crossings on a jittered grid, links in both directions or one way, turns but back and but some left ones. A link has a factor of its own, half of
it shared with its neighbours on the same street (corridors that no column explains), and a turn has one. Every driver has tastes of classes and kinds of turns, every trip
noise on every link, and takes the cheapest route for all of that; some go by way of a place that nobody knows. Origins and destinations are popular or not.
"""

import heapq
import math
import random

BLOCK = 150.0
SPEED = {"primary": 14.0, "secondary": 11.0, "residential": 7.0}
PENALTY = {"straight": 1.0, "left": 9.0, "right": 5.0}


class District:
    def __init__(self, seed, size=15, link=0.25, corridor=0.25, turn=0.1, taste=0.25, trip=0.25, via=0.08, least=8):
        self.rng = rng = random.Random(seed)
        self.taste, self.noise, self.via, self.least = taste, trip, via, least
        self.links = self._links(size)
        self.turns = self._turns(size)
        corridors = {}
        for _, _, _, _, street in self.links:
            corridors.setdefault(street, rng.gauss(0, corridor))
        own = [math.exp(rng.gauss(0, link) + corridors[street]) for *_, street in self.links]
        self.factors = [(own[head], math.exp(rng.gauss(0, turn))) for _, head, *_ in self.turns]
        self.next = [[] for _ in self.links]
        for place, (tail, head, *_) in enumerate(self.turns):
            self.next[tail].append((head, place))
        self.popular = [[rng.paretovariate(1.5) - 0.95 for _ in self.links] for _ in range(2)]

    def _links(self, size):
        rng, links = self.rng, []
        kind = lambda line: "primary" if line % 6 == 2 else "secondary" if line % 3 == 0 else "residential"
        for y in range(size):
            for x in range(size):
                for other, line, along in (((x + 1, y), y, x), ((x, y + 1), x, y)):
                    if max(other) >= size:
                        continue
                    name = kind(line)
                    if name == "residential" and rng.random() < 0.2:
                        continue
                    oneway = rng.random() < (0.35 if name == "residential" else 0.1)
                    forward = rng.random() < 0.5
                    for ends, way in ((((x, y), other), True), ((other, (x, y)), False)):
                        if not oneway or way == forward:
                            links.append((*ends, name, oneway, (other[0] > x, line, way, along // 4)))
        return links

    def _turns(self, size):
        rng = self.rng
        jitter = lambda cell: BLOCK * (cell + rng.uniform(-0.3, 0.3))
        place = {(x, y): (jitter(x), jitter(y)) for x in range(size) for y in range(size)}
        vector = lambda link: tuple(b - a for a, b in zip(place[link[0]], place[link[1]]))
        leaving = {}
        for number, link in enumerate(self.links):
            leaving.setdefault(link[0], []).append(number)
        turns = []
        for tail, before in enumerate(self.links):
            for head in leaving.get(before[1], []):
                after = self.links[head]
                if after[1] == before[0]:
                    continue
                (a, b), (c, d) = vector(before), vector(after)
                angle = math.degrees(math.atan2(a * d - b * c, a * c + b * d))
                turn = "left" if angle > 35 else "right" if angle < -35 else "straight"
                if turn == "left" and rng.random() < 0.15:
                    continue
                turns.append((tail, head, math.hypot(c, d), after[2], after[3], turn))
        return turns

    def _route(self, cost, source, target):
        best, before, waiting = {source: 0.0}, {}, [(0.0, source)]
        while waiting:
            so_far, link = heapq.heappop(waiting)
            if link == target:
                path = [target]
                while path[-1] != source:
                    path.append(before[path[-1]])
                return path[::-1]
            if so_far > best[link]:
                continue
            for head, turn in self.next[link]:
                total = so_far + cost[turn]
                if total < best.get(head, math.inf):
                    best[head], before[head] = total, link
                    heapq.heappush(waiting, (total, head))
        return None

    def trip(self):
        """The links of one trip."""
        rng = self.rng
        while True:
            source, target = (rng.choices(range(len(self.links)), weights)[0] for weights in self.popular)
            classes = {name: math.exp(rng.gauss(0, self.taste)) / speed for name, speed in SPEED.items()}
            turns = {name: math.exp(rng.gauss(0, 2 * self.taste)) * seconds for name, seconds in PENALTY.items()}
            noise = [math.exp(rng.gauss(0, self.noise)) for _ in self.links]
            cost = [
                (length * classes[name] * own + turns[turn]) * factor * noise[head]
                for (_, head, length, name, _, turn), (own, factor) in zip(self.turns, self.factors)
            ]
            stops = [source, rng.randrange(len(self.links)), target] if rng.random() < self.via else [source, target]
            parts = [self._route(cost, *ends) for ends in zip(stops, stops[1:])]
            if not all(parts):
                continue
            path = parts[0] + [link for part in parts[1:] for link in part[1:]]
            if self.least <= len(path) <= 60 and len(set(path)) == len(path):
                return path

    def table(self):
        rows = (f"{t},{h},{length:.1f},{name},{'yes' if oneway else 'no'},{turn}\n" for t, h, length, name, oneway, turn in self.turns)
        return "from,to,length,class,oneway,turn\n" + "".join(rows)
