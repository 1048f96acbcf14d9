"""Kernel adaptive filters in NumPy, in two versions each: by definition, and with the operations of kafbox.

The first solve the system that defines the coefficients at every step. The others update an inverse, and evaluate
kernel rows again as kafbox does. A test compares okbench's predictions with the first, and report.py compares its speed
with both. learners/methods/NAME/NAME.h has the equations.
"""

import time

import numpy as np


class Filter:
    """A dictionary X, coefficients a, and f(x) = sum_j a_j k(x_j, x) with the Gaussian kernel."""

    def __init__(self, gamma, features, budget):
        self.gamma, self.budget = gamma, budget
        self.X, self.a = np.zeros((0, features)), np.zeros(0)

    def kernel(self, a, b):
        """k(a_i, b_j), shape (len(a), len(b))."""
        squares = np.sum(a * a, axis=1)[:, None] + np.sum(b * b, axis=1)[None, :] - 2 * a @ b.T
        return np.exp(-self.gamma * np.maximum(squares, 0))

    def row(self, x):
        """k(x_j, x) of the dictionary; exact for near points."""
        return np.exp(-self.gamma * np.sum((self.X - x) ** 2, axis=1))

    def toolbox_row(self, x):
        """The same with kafbox's formula."""
        return self.kernel(self.X, x[None])[:, 0]

    def join(self, x):
        self.X = np.vstack([self.X, x])

    def leave(self, place):
        self.X = np.delete(self.X, place, axis=0)

    def step(self, x, y):
        """Predicts y, then learns (x, y)."""
        k = self.row(x)
        predicted = self.predict(k)
        self.learn(x, y, k, predicted)
        return predicted

    def predict(self, k):
        return self.a @ k


class Qklms(Filter):
    def __init__(self, *filter, eta=0.5, epsilon=0.1):
        super().__init__(*filter)
        self.eta, self.epsilon = eta, epsilon

    def learn(self, x, y, k, predicted):
        step = self.eta * (y - predicted)
        distances = np.sum((self.X - x) ** 2, axis=1)
        nearest = distances.argmin() if len(k) else None
        if len(k) and (distances[nearest] <= self.epsilon**2 or len(k) == self.budget):
            self.a[nearest] += step
            return
        self.join(x)
        self.a = np.append(self.a, step)


class Knlms(Filter):
    def __init__(self, *filter, mu0=0.95, eta=0.5, epsilon=1e-6):
        super().__init__(*filter)
        self.mu0, self.eta, self.epsilon = mu0, eta, epsilon

    def accepts(self, k):
        return len(k) < self.budget and (len(k) == 0 or np.abs(k).max() <= self.mu0)

    def learn(self, x, y, k, predicted):
        if self.accepts(k):
            self.join(x)
            self.a, k = np.append(self.a, 0), np.append(k, 1)
        self.a = self.a + self.eta / (self.epsilon + k @ k) * (y - k @ self.a) * k


class Kap(Knlms):
    def __init__(self, *filter, memory=8, **options):
        super().__init__(*filter, **options)
        self.memory, self.last, self.targets = memory, np.zeros((0, self.X.shape[1])), np.zeros(0)

    def learn(self, x, y, k, predicted):
        self.last = np.vstack([self.last, x])[-self.memory :]
        self.targets = np.append(self.targets, y)[-self.memory :]
        if self.accepts(k):
            self.join(x)
            self.a = np.append(self.a, 0)
        h = self.kernel(self.last, self.X)
        system = h @ h.T + self.epsilon * np.eye(len(h))
        self.a = self.a + self.eta * h.T @ np.linalg.solve(system, self.targets - h @ self.a)


class KnlmsToolbox(Knlms):
    """As kafbox computes it: a kernel row to predict, one for the coherence, and one for the step."""

    def step(self, x, y):
        predicted = self.a @ self.toolbox_row(x)
        if self.accepts(self.toolbox_row(x)):
            self.join(x)
            self.a = np.append(self.a, 0)
        h = self.toolbox_row(x)
        self.a = self.a + self.eta / (self.epsilon + h @ h) * (y - h @ self.a) * h
        return predicted


class KapToolbox(Kap):
    """As kafbox computes it: a kernel row to predict, and one for the coherence."""

    def step(self, x, y):
        predicted = self.a @ self.toolbox_row(x)
        self.learn(x, y, self.toolbox_row(x), predicted)
        return predicted


class Ridge(Filter):
    """a = (K + ridge I)^-1 y over a dictionary of at most `budget` examples, by definition."""

    def __init__(self, *filter, ridge=0.01):
        super().__init__(*filter)
        self.ridge, self.y = ridge, np.zeros(0)

    def learn(self, x, y, k, predicted):
        if len(k) == self.budget and not self.joins_first:
            self.drop(0)
        self.join(x)
        self.y = np.append(self.y, y)
        if len(self.y) > self.budget:
            self.drop(self.worst())
        self.a = self.solution()

    def drop(self, place):
        self.leave(place)
        self.y = np.delete(self.y, place)

    def system(self):
        return self.kernel(self.X, self.X) + self.ridge * np.eye(len(self.y))

    def solution(self):
        return np.linalg.solve(self.system(), self.y)

    def worst(self):
        return np.argmin(np.abs(self.solution()) / np.linalg.inv(self.system()).diagonal())


class ToolboxRidge(Ridge):
    """The same as kafbox computes it: an inverse that grows by a bordered update and shrinks when an example leaves."""

    def __init__(self, *filter, **options):
        super().__init__(*filter, **options)
        self.inverse = np.zeros((0, 0))

    def step(self, x, y):
        predicted = self.a @ self.toolbox_row(x)
        self.join(x)
        self.y = np.append(self.y, y)
        k = self.toolbox_row(x)
        self.inverse = grown(self.inverse, k[:-1], k[-1] + self.ridge)
        if len(self.y) > self.budget:
            place = self.leaves()
            self.drop(place)
            self.inverse = shrunk(self.inverse, place)
        self.a = self.inverse @ self.y
        return predicted


def grown(inverse, k, self_value):
    """Inverse of [A k; k' self_value], from that of A."""
    g = self_value - k @ inverse @ k
    f = -(inverse @ k) / g
    n = len(k)
    out = np.empty((n + 1, n + 1))
    out[:n, :n] = inverse - np.outer(inverse @ k, f)
    out[:n, n] = out[n, :n] = f
    out[n, n] = 1 / g
    return out


def shrunk(inverse, place):
    """Inverse of A without a row and column, from that of A."""
    column = np.delete(inverse[:, place], place)
    rest = np.delete(np.delete(inverse, place, axis=0), place, axis=1)
    return rest - np.outer(column, column) / inverse[place, place]


class SlidingRidge(Ridge):
    joins_first = False  # the oldest leaves before the new example joins


class SlidingToolbox(ToolboxRidge):
    def leaves(self):
        return 0


class FixedRidge(Ridge):
    joins_first = True  # above the budget, the worst one leaves


class FixedToolbox(ToolboxRidge):
    def leaves(self):
        return np.argmin(np.abs(self.inverse @ self.y) / self.inverse.diagonal())


class Krlst(Filter):
    """The tracker, with K + jitter I inverted at every step."""

    always = False  # forgets even with a factor of 1

    def __init__(self, *filter, forgetting=0.999, noise=0.01, jitter=1e-6):
        super().__init__(*filter)
        self.forgetting, self.noise, self.jitter = forgetting, noise, jitter
        self.mean, self.covariance = np.zeros(0), np.zeros((0, 0))

    def inverses(self):
        return np.linalg.inv(self.kernel(self.X, self.X) + self.jitter * np.eye(len(self.X)))

    def grow(self, k):
        """x has joined."""

    def drop(self, place):
        self.leave(place)

    def learn(self, x, y, k, predicted):
        if self.always or self.forgetting < 1:
            gram = self.kernel(self.X, self.X)
            self.covariance = self.forgetting * self.covariance + (1 - self.forgetting) * gram
            self.mean = np.sqrt(self.forgetting) * self.mean
        q = self.inverses() @ k
        g, h = 1 + self.jitter - k @ q, self.covariance @ q
        v, expected = g + q @ h, q @ self.mean
        variance = self.noise + v
        n = len(k)
        both = np.append(h, v)
        grown_covariance = np.empty((n + 1, n + 1))
        grown_covariance[:n, :n] = self.covariance
        grown_covariance[n, :] = grown_covariance[:, n] = both
        mean = np.append(self.mean, expected) + (y - expected) / variance * both
        covariance = grown_covariance - np.outer(both, both) / variance
        if g < self.jitter:
            self.mean, self.covariance = mean[:n], covariance[:n, :n]
        else:
            self.mean, self.covariance = mean, covariance
            self.join(x)
            self.grow(k)
            if len(self.X) > self.budget:
                inverse = self.inverses()
                place = np.argmin(np.abs(inverse @ self.mean) / inverse.diagonal())
                self.drop(place)
                self.mean = np.delete(self.mean, place)
                self.covariance = np.delete(np.delete(self.covariance, place, axis=0), place, axis=1)
        self.a = self.inverses() @ self.mean


class KrlstToolbox(Krlst):
    """As kafbox computes it: Q by recursion, and the kernel matrix of the dictionary at every step."""

    always = True

    def __init__(self, *filter, **options):
        super().__init__(*filter, **options)
        self.inverse = np.zeros((0, 0))

    def step(self, x, y):
        predicted = (self.inverse @ self.toolbox_row(x)) @ self.mean
        self.learn(x, y, self.toolbox_row(x), predicted)
        return predicted

    def inverses(self):
        return self.inverse

    def grow(self, k):
        self.inverse = grown(self.inverse, k, 1 + self.jitter)

    def drop(self, place):
        super().drop(place)
        self.inverse = shrunk(self.inverse, place)


class Pkawv(Filter):
    """Ridge regression over all examples, each projected onto the dictionary of its time."""

    def __init__(self, *filter, nu=1e-9, ridge=0.01):
        super().__init__(*filter)
        self.nu, self.ridge, self.seen, self.y = nu, ridge, [], np.zeros(0)

    def phi(self, k):
        return np.linalg.solve(np.linalg.cholesky(self.kernel(self.X, self.X)), k)

    def predict(self, k):
        return 0.0 if len(k) == 0 else self.a @ k

    def step(self, x, y):
        k = self.row(x)
        phi = self.phi(k)
        distance = 1 - phi @ phi
        if len(k) < self.budget and distance > self.nu:
            self.join(x)
            phi = np.append(phi, np.sqrt(distance))
        self.seen.append(phi)
        features = np.zeros((len(self.seen), len(phi)))
        for row, vector in zip(features, self.seen):
            row[: len(vector)] = vector
        system = features.T @ features + self.ridge * np.eye(len(phi))
        predicted = phi @ np.linalg.solve(system, features[:-1].T @ self.y)
        self.y = np.append(self.y, y)
        return predicted


class PkawvRecursion(Pkawv):
    """The same with A^-1 kept by rank-one updates, and L^-1 of the dictionary's Cholesky factor."""

    def __init__(self, *filter, **options):
        super().__init__(*filter, **options)
        self.factor, self.inverse, self.b = np.zeros((0, 0)), np.zeros((0, 0)), np.zeros(0)

    def step(self, x, y):
        k = self.row(x)
        phi = self.factor @ k
        distance = 1 - phi @ phi
        if len(k) < self.budget and distance > self.nu:
            n, root = len(k), np.sqrt(distance)
            factor, inverse = np.zeros((n + 1, n + 1)), np.zeros((n + 1, n + 1))
            factor[:n, :n], inverse[:n, :n] = self.factor, self.inverse
            factor[n, :n], factor[n, n] = -phi @ self.factor / root, 1 / root
            inverse[n, n] = 1 / self.ridge
            self.factor, self.inverse, self.b = factor, inverse, np.append(self.b, 0)
            self.join(x)
            phi = np.append(phi, root)
        column = self.inverse @ phi
        self.inverse -= np.outer(column, column) / (1 + phi @ column)
        predicted = phi @ (self.inverse @ self.b)
        self.b += y * phi
        return predicted


# {learner: (by definition, as in kafbox, options of both, the estimators' names of those)}. kafbox has no PKAWV. With
# these options, those of bench/filters.cpp, every dictionary fills.
FILTERS = {
    "qklms": (Qklms, Qklms, {"epsilon": 0.1}, {}),
    "knlms": (Knlms, KnlmsToolbox, {"mu0": 0.999}, {}),
    "kap": (Kap, KapToolbox, {"mu0": 0.999}, {}),
    "sw-krls": (SlidingRidge, SlidingToolbox, {"ridge": 0.01}, {"ridge": "c"}),
    "fb-krls": (FixedRidge, FixedToolbox, {"ridge": 0.01}, {"ridge": "lambda_"}),
    "krls-t": (Krlst, KrlstToolbox, {}, {"forgetting": "lambda_"}),
    "pkawv": (Pkawv, PkawvRecursion, {"nu": 0.0, "ridge": 0.01}, {"ridge": "lambda_"}),
}


def lorenz(rows, embedding=6):
    """(the last `embedding` values, the next one) of the Lorenz system's third component; zeros before the start."""
    state, values = np.array([10.0, 7.0, 35.0]), []
    for _ in range(rows):
        x, y, z = state
        state = state + 0.01 * np.array([10 * (y - x), x * (28 - z) - y, x * y - 8 / 3 * z])
        values.append(state[2])
    padded = np.concatenate([np.zeros(embedding), values])
    return np.lib.stride_tricks.sliding_window_view(padded[:-1], embedding), padded[embedding:]


def seconds_per_step(filter_class, budget, options, steps=300):
    """Seconds of a step with a full dictionary: the median of three means over `steps` steps."""
    X, y = lorenz(10000)
    filter, i = filter_class(2, X.shape[1], budget, **options), 0
    while len(filter.X) < budget:
        filter.step(X[i], y[i])
        i += 1
    mean_seconds = []
    for _ in range(3):
        began = time.perf_counter()
        for _ in range(steps):
            filter.step(X[i], y[i])
            i += 1
        mean_seconds.append((time.perf_counter() - began) / steps)
    return sorted(mean_seconds)[1]
