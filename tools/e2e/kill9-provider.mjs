// npm run e2e:kill9-provider -- [--rounds 100] [--seed 1] [--provider NAME…]: kills the worker during requests of its
// observer to a vendor. In each round, hooks send a short session, and the worker is killed with SIGKILL before the
// first byte, in the middle of the stream, or after the last byte while it commits. Only hooks restart the worker.
// After each round, the counts must equal those of a session without kills, the usage must contain every call, and no
// child process may remain.
import { parseArgs } from 'node:util';
import { chosenObservers } from './chosen-observers.mjs';
import { killedRounds } from './killed-rounds.mjs';

const { values: options } = parseArgs({
  options: {
    rounds: { type: 'string', default: '100' },
    seed: { type: 'string', default: '1' },
    provider: { type: 'string', multiple: true, default: [] },
  },
});

const problems = [];
for (const [first, provider] of chosenObservers(options.provider).entries()) {
  const rounds = Number(options.rounds);
  const started = performance.now();
  const result = await killedRounds({
    provider,
    rounds,
    seed: Number(options.seed),
    first,
    print: console.log,
  });
  problems.push(...result.problems);
  const seconds = ((performance.now() - started) / 1_000).toFixed(0);
  console.log(
    `${provider}: ${rounds} rounds (seed ${options.seed}), kills ${result.kills}; ${result.toolEvents} tool events, ${result.calls} calls seen, ${result.metered} metered, ${result.problems.length} deviation(s), ${seconds} s`,
  );
}
console.log(`\n${problems.length} deviation(s)`);
for (const problem of problems.slice(0, 30)) console.log(`  ${problem}`);
process.exitCode = problems.length > 0 ? 1 : 0;
