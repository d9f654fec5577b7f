// For node's --import: the clocks and timers of the process run FAST_TIME times faster than real ones, so that what it waits out
// costs a test little; below 1, slower, so that what a test does meanwhile counts as quick on a slow computer too. Other processes keep
// real time: a limit on one of them is as many times shorter.
const rate = Number(process.env.FAST_TIME ?? 1);
if (!(rate > 0)) throw new Error("FAST_TIME must be a number above 0");

if (rate !== 1) {
  for (const clock of [performance, Date]) {
    const now = clock.now.bind(clock);
    const began = now();
    const round = clock === Date ? Math.round : (ms) => ms;
    clock.now = () => round(began + (now() - began) * rate);
  }
  for (const name of ["setTimeout", "setInterval"]) {
    const set = globalThis[name];
    globalThis[name] = (fire, ms, ...args) => set(fire, ms / rate, ...args);
  }
}
