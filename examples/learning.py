"""A small learner, to read from top to bottom or cell by cell (`# %%`): it learns Santorini from nothing but
matches against itself, and a picture shows how it gets better at beating chance.

python3 examples/learning.py [matches] [picture.svg]      needs: pip install ludoteca[research]
"""

# %% What is played: two mortals, no gods. `Deal` knows what answers and pictures look like as numbers.
import sys

import numpy as np

from ludoteca import research

MATCHES = int(sys.argv[1]) if len(sys.argv) > 1 else 400
PICTURE = sys.argv[2] if len(sys.argv) > 2 else "learning.svg"
EVERY, TRIALS, RATE, CURIOSITY = max(1, MATCHES // 8), 40, 0.005, 0.1

deal = research.Deal("santorini", options={"gods": "none"})
random = np.random.default_rng(1)
weights = np.zeros(deal.length, np.float32)
print(f"{deal.numbers} answers, {deal.length} numbers to see, of which all weights are 0")


# %% How good a position looks to a seat: one weight for each number that it sees.
def value(seen):
    return float(np.tanh(weights @ seen))


def tried(state, seat, action):
    """What the seat would see after an answer."""
    later = state.clone()
    deal.game.apply(later, seat, action)
    return deal.tensor(later, seat).astype(np.float32)


def best(state, seat):
    """The answer after which it looks best, and what is seen then."""
    choices = state.questions[seat].choices
    seen = [tried(state, seat, action) for action in choices]
    place = int(np.argmax([value(one) for one in seen]))
    return choices[place], seen[place]


# %% Learning: play against yourself, sometimes by chance, and believe what the end says.
def learn(seed):
    state = deal.start(seed)
    path = [[] for _ in range(deal.seats)]
    while state.questions:
        seat = next(iter(state.questions))
        choices = state.questions[seat].choices
        if random.random() < CURIOSITY:
            action = choices[random.integers(len(choices))]
            seen = tried(state, seat, action)
        else:
            action, seen = best(state, seat)
        path[seat].append(seen)
        deal.game.apply(state, seat, action)
    for seat, reward in enumerate(deal.rewards(state)):
        for seen in path[seat]:
            guess = value(seen)
            weights[:] += RATE * 100 / (100 + seed) * (reward - guess) * (1 - guess**2) * seen


# %% Measuring: against somebody who plays at random, from both seats.
def trial(count):
    won = 0
    for number in range(count):
        env = research.SingleSeat("santorini", "random", options={"gods": "none"}, seat=number % 2)
        env.reset(seed=number)
        reward, over = 0.0, False
        while not over:
            action, _ = best(env.state, env.seat)
            question = env.state.questions[env.seat]
            place = list(question.choices).index(action)
            _, reward, over, _, _ = env.step(deal.vocabulary.numbers(question)[place])
        won += reward > 0
    return won / count


# %% The evening: matches, with a trial now and then.
curve = [(0, trial(TRIALS))]
for number in range(1, MATCHES + 1):
    learn(number)
    if number % EVERY == 0:
        curve.append((number, trial(TRIALS)))
        print(f"after {number:4} matches it beats chance {curve[-1][1]:4.0%} of the time")

# %% The picture, drawn by hand: across, the matches; up, how often it wins.
points = " ".join(f"{40 + 500 * x / MATCHES:.0f},{220 - 200 * y:.0f}" for x, y in curve)
lines = [f'<text x="4" y="{224 - 200 * y:.0f}">{y:.0%}</text>' for y in (0, 0.5, 1)]
lines += [f'<polyline points="{points}" fill="none" stroke="#2563eb" stroke-width="2"/>']
lines += [f'<text x="440" y="240">{MATCHES} matches</text>']
size = 'width="560" height="250" font-family="sans-serif" font-size="11"'
with open(PICTURE, "w") as file:
    file.write(f'<svg xmlns="http://www.w3.org/2000/svg" {size}>{"".join(lines)}</svg>\n')
height = [float(weights[(5 + level) * 25 : (6 + level) * 25].mean()) for level in range(3)]
print("what it thinks of its workers on levels 0, 1 and 2:", ", ".join(f"{one:+.2f}" for one in height))
print(f"the picture is in {PICTURE}")
