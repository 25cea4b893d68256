"""The tuner: asks a search for plans, builds and measures them, keeps every result, until its time is over.

All that a session knows is in the database, each result from the moment when it was measured. So one that was killed
goes on where it was: it reads what there is - its own results, and those of other tuners of the same program, machine
and input - tells the search of it, and asks for what is not known.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, replace
from functools import partial

from irgl.plan import Plan
from irgl.rt.call.reference import remedy
from irgl.rt.call.run import cores
from irgl.rt.compile.nvcc import require_device
from irgl.source import IrglError
from irgl.tune.choose.auto import shipped
from irgl.tune.inputs.inputs import Input
from irgl.tune.measure import gpu as gpus
from irgl.tune.measure.builds import Builds
from irgl.tune.measure.measure import Asked, How, Measurer
from irgl.tune.measure.modelled import Modeller
from irgl.tune.measure.protocol import Seen, one_answer
from irgl.tune.results.keys import key_of
from irgl.tune.results.store import SESSION_RUNS, Session, Store
from irgl.tune.results.trial import Status, Trial
from irgl.tune.search.space import Space, space_of
from irgl.tune.session.finish import look_at_rounds, measure_again, told
from irgl.tune.session.group import Group
from irgl.tune.session.grouping import features_of, make_groups
from irgl.tune.session.reproduce import write_reproducer
from irgl.tune.session.task import Mistake, Outcome, State, Task, Watch, WrongReferenceError

#: The part of the budget that is kept for measuring the best plans once more.
_FINISH = 0.15
#: Variants that are built and measured together.
_BATCH = max(4, min(8, cores()))
#: Reproducers that are written; further wrong answers are told of alone.
_REPRODUCERS = 3


def tune(task: Task, store: Store, watch: Watch) -> Outcome:
    """Tunes a program. Ctrl-C ends it with what it has (state `interrupted`), and the same task goes on there later.

    Raises IrglError for inputs that the program can't take, and where the reference variant can't be measured;
    WrongReferenceError where its answer is wrong.
    """
    begin = time.monotonic()
    if task.target == "cuda":
        require_device()
    builds = Builds(task.program, task.target, task.schedule)
    how = How(task.target, task.threads, task.seed, task.worklist_capacity, runs=task.runs)
    measurer = Modeller(builds, how, gpus.load(task.gpu), watch.note) if task.target == "simt" \
        else Measurer(builds, how, watch.note)
    with measurer:
        return Tuner(task, store, watch, builds, measurer, begin).run()


class Tuner:
    """One session."""

    def __init__(self, task: Task, store: Store, watch: Watch, builds: Builds, measurer: Measurer,
                 begin: float) -> None:
        self.task, self.store, self.watch, self.measurer, self.builds = task, store, watch, measurer, builds
        self.manifest = builds.manifest(measurer.none)
        self.space: Space = space_of(builds.program, task.target)
        self.key = key_of(self.manifest, task.target, task.threads, task.gpu)
        self.mistakes: list[Mistake] = []
        self.groups: list[Group] = []
        self.seen: dict[str, Seen] = {}
        self._begin, self._before = begin, 0.0
        self._rounds: Counter[tuple[str, str]] = Counter()
        self._measured: Counter[Status] = Counter()
        self._group: Group | None = None
        self._first: dict[str, Trial] = {}
        #: Groups and plans whose answers were verified in full; the reference's are, or nothing is measured.
        self._verified: set[tuple[str, str]] = set()

    @property
    def spent(self) -> float:
        """Seconds, those before the session was resumed included."""
        return self._before + time.monotonic() - self._begin

    def run(self) -> Outcome:
        for given in self.task.inputs:
            self.show(f"loading {given.name}")
            self.seen[given.name] = self._look(given)
        session = self._session()
        state = "done"
        try:
            self._references(session)
            self.groups = make_groups(self.task, self.manifest, self.space, self.seen, self._first, self.store,
                                      self.key)
            for k, group in enumerate(self.groups):
                self._search(group, session, len(self.groups) - k)
        except KeyboardInterrupt:
            state = "interrupted"
            self.watch.note("this is what was found until now; the same command goes on from here")
        outcome = self._outcome(session, state)
        self.store.end(session, state, {**asdict(outcome), "spent": self.spent})
        return outcome

    def _outcome(self, session: Session, state: str) -> Outcome:
        key, task = self.key, self.task
        outcome = Outcome(self.manifest.program, key.program, key.target, key.machine, key.threads, task.mode,
                          task.strategy, session.id, str(self.store.path), state, task.budget, self.spent,
                          self.space.count(), sum(self._measured.values()),
                          {status.value: n for status, n in self._measured.items()}, self.measurer.drift)
        outcome.mistakes = self.mistakes
        outcome.found = [told(g, g.best, self._default, self.task.pareto) for g in self.groups]
        return outcome

    def show(self, doing: str, part: float | None = None) -> None:
        group = self._group
        self.watch.state(State(doing, part, sum(self._measured.values()), group.best if group is not None else "",
                               1 / group.value(group.best) if group is not None else None, self.spent,
                               self.task.budget))

    def keep(self, session: Session, trials: Sequence[Trial], group: Group) -> None:
        """Stores results, and reports wrong ones."""
        for trial in trials:
            digest = self.seen[trial.input].digest
            # Another tuner may have stored one meanwhile; ours is then a further round of the same.
            while not self.store.add(self.key, digest, trial, round=self._rounds[trial.plan, digest], session=session):
                self._rounds[trial.plan, digest] += 1
            self._rounds[trial.plan, digest] += 1
            self._measured[trial.status] += 1
            if trial.status is Status.WRONG:
                self.mistake(trial)
        group.add(trials)

    def mistake(self, trial: Trial) -> Mistake:
        given = next(i for i in self.task.inputs if i.name == trial.input)
        written = ""
        if len([m for m in self.mistakes if m.reproducer]) < _REPRODUCERS:
            self.show("writing a reproducer")
            manifest = self.builds.manifest(Plan.parse(trial.plan, self.task.target))
            written = str(write_reproducer(self.task, manifest, given, trial))
        found = Mistake(trial.plan, trial.input, trial.why, written)
        self.mistakes.append(found)
        self.watch.note(str(found))
        return found

    def verified(self, plan: str, group: Group, session: Session) -> bool:
        """Is the answer of a plan right on every input? Verified in full where anybody can."""
        if plan == str(self.measurer.none) or (group.name, plan) in self._verified:
            return True
        for given in group.inputs:
            ran = self.measurer.verified(Plan.parse(plan, self.task.target), given)
            if ran.status is not Status.OK:
                self.keep(session, [Trial(plan, given.name, ran.status, why=ran.why, by="verifier")], group)
                return False
        self._verified.add((group.name, plan))
        return True

    def _default(self, given: Input) -> Plan:
        """What irgl ships for an input."""
        return shipped(self.manifest, features_of(self.seen[given.name]), self.task.target).plan

    def _look(self, given: Input) -> Seen:
        seen = self.measurer.look(given)
        for note in seen.notes:
            self.watch.note(f"{given.name}: {note}")
        twin = next((name for name, s in self.seen.items() if s.digest == seen.digest), None)
        if twin is not None:
            raise IrglError(f"{given.name} is the same graph as {twin}", hint="give each graph once")
        if seen.judge and not one_answer(self.manifest):
            raise IrglError(f"no answer can be verified: {seen.judge}",
                            hint=remedy(self.manifest))
        if seen.judge:
            self.watch.note(f"{given.name}: answers are compared with that of the plan `none`: {seen.judge}")
        return seen

    def _session(self) -> Session:
        settings = {"inputs": {name: s.digest for name, s in self.seen.items()}, "mode": self.task.mode,
                    "strategy": self.task.strategy, "seed": self.task.seed,
                    "worklist_capacity": self.task.worklist_capacity, "path": self.task.program,
                    "pareto": self.task.pareto, SESSION_RUNS: self.task.runs}
        if self.task.schedule is not None:
            settings["schedule"] = self.task.schedule
        found = self.store.resume(self.key, settings)
        if found is None:
            return self.store.begin(self.key, settings)
        self._before = float(found.outcome.get("spent", 0.0))
        if self._before >= self.task.budget:  # it is asked for more
            self._before = 0.0
        self.watch.note(f"going on with session {found.id}, after {self._before:.0f} s")
        return found

    def _references(self, session: Session) -> None:
        for given in self.task.inputs:
            seen = self.seen[given.name]
            self.show(f"running the plan `none` on {given.name}")
            if seen.features:
                self.store.describe(seen.digest, given.name, seen.features)
            trial = self.measurer.reference(given, seen)
            if trial.status is Status.WRONG:
                found = self.mistake(trial)
                raise WrongReferenceError(f"the answer of the plan `none` on {given.name} is wrong: {trial.why}",
                                          hint=f"{found.reproducer}/reproduce.sh shows it")
            if trial.status is not Status.OK:
                raise IrglError(f"the plan `none` can't be measured on {given.name}: {trial.status}: {trial.why}")
            self._first[given.name] = trial
            known = self.store.trials(self.key, seen.digest)
            self._rounds.update((t.plan, seen.digest) for t in known)
            if self._rounds[trial.plan, seen.digest] == 0:
                self.store.add(self.key, seen.digest, trial, session=session)
                self._rounds[trial.plan, seen.digest] += 1

    def _search(self, group: Group, session: Session, groups_left: int) -> None:
        """Searches for the best plan of a group in its share of what is left of the budget, and measures it again."""
        self._group = group
        share = (self.task.budget - self.spent) / groups_left
        end = self.spent + (1 - _FINISH) * share
        while True:
            begin = self.spent
            self.measurer.deadline = time.monotonic() + max(0.0, end - begin)
            if not self._step(group, session):
                break
            self.store.end(session, "running", {"spent": self.spent})
            if self.spent + (self.spent - begin) / 2 > end:  # most of another step would be too late
                break
        self.measurer.deadline = time.monotonic() + max(0.0, end + _FINISH * share - self.spent)
        finalists = measure_again(group, self.measurer, self._default,
                                  lambda trials: self.keep(session, trials, group), self.show)
        self._crown(group, session, finalists)
        self.show("looking at the rounds of the best plan")
        look_at_rounds(group, self.measurer)

    def _refresh(self, group: Group) -> None:
        """Takes over what is stored, by whomever, and tells the search."""
        for given in group.inputs:
            stored = {t.plan: t for t in self.store.trials(self.key, self.seen[given.name].digest)}
            group.add(replace(t, input=given.name).spread(self.task.runs) for plan, t in stored.items()
                      if given.name not in group.table.get(plan, {}))
        for text in list(group.table):
            plan = self._parsed(text)
            if plan is not None and group.decided(plan):
                group.tell(plan)

    def _parsed(self, text: str) -> Plan | None:
        """The plan, if it is still one of the space: an older irgl may have stored it."""
        try:
            plan = Plan.parse(text, self.task.target)
        except IrglError:
            return None
        return plan if plan in self.space else None

    def _step(self, group: Group, session: Session) -> bool:
        """One batch: asked for, built, measured, stored, told. False: there is no plan left."""
        self._refresh(group)
        asked: list[Plan] = []
        while len(asked) < _BATCH:
            plan = group.search.ask()
            if plan is None:
                break
            if group.decided(plan):
                group.tell(plan)
            else:
                asked.append(plan)
        if asked:
            self.measurer.build(asked, lambda part: self.show(f"building {len(asked)} plans", part))
        for given in group.inputs:
            # One that fails on an input, or can't win there any more, is not measured on the others.
            todo = [Asked(p, group.search.by(p), None if self.task.pareto else group.to_beat(p, given)) for p in asked
                    if not group.decided(p) and given.name not in group.table.get(str(p), {})]
            if todo:
                rivals = len(group.inputs) == 1 and not self.task.pareto
                tell = partial(self.show, f"measuring {len(todo)} plans on {given.name}")
                self.keep(session, self.measurer.batch(todo, given, rivals=rivals, tell=tell), group)
        for plan in asked:
            if group.decided(plan):
                group.tell(plan)
        self._crown(group, session)
        return bool(asked)

    def _crown(self, group: Group, session: Session, among: Sequence[str] | None = None) -> None:
        """Makes the fastest plan (of some) the best one, once its answer has been verified."""
        for text in group.ranked():
            if (among is None or text in among) and self.verified(text, group, session):
                group.best = text
                return
