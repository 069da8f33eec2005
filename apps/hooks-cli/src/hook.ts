import { runHook } from './hook/run-hook.js';

const [host, event, option, spooled] = process.argv.slice(2);
process.umask(0o077);

const end = (): never => process.exit(0);
// the host must not notice, whatever happened; the event is in the spool, or could not be written at all
process.once('uncaughtException', end);
runHook({
  host,
  event,
  spooled: option === '--spooled' ? spooled : undefined,
  env: process.env,
  stdin: process.stdin,
  ownFolder: __dirname,
}).then((answer) => {
  process.stdout.once('error', end);
  process.stdout.write(answer, end);
}, end);
