import { runHook } from './hook/run-hook.js';

const [host, event, option, spooled] = process.argv.slice(2);
process.umask(0o077);

/** Returns undefined when the folder was deleted. */
function currentFolder(): string | undefined {
  try {
    return process.cwd();
  } catch {
    return undefined;
  }
}

const end = (): never => process.exit(0);
// a failed hook must not disturb the host; the event is in the spool, or writing it failed
process.once('uncaughtException', end);
runHook({
  host,
  event,
  spooled: option === '--spooled' ? spooled : undefined,
  env: process.env,
  stdin: process.stdin,
  // hook.sh has checked the data folder and made it the current folder
  cwd: option === '--spooled' ? undefined : currentFolder(),
  ownFolder: __dirname,
}).then((answer) => {
  process.stdout.once('error', end);
  process.stdout.write(answer, end);
}, end);
