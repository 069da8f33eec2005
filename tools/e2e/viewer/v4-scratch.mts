import path from 'node:path';
import { openStorage } from '@claude-mem/storage';
import { createTempHome } from '@claude-mem/testing';
import { spawn } from 'node:child_process';
import { requestWorker } from '@claude-mem/testing';
import { writeMemory } from './write-memory.js';
import { buildWorker } from './build-worker.js';
const main = await buildWorker();
const home = await createTempHome();
import('node:fs');
await writeMemory(home.dataDir,'small');
const MANY = 10_000;
{
await using storage = await openStorage({ file: path.join(home.dataDir, 'claude-mem.db'), backupsDir: path.join(home.dataDir, 'backups'), backupKeep: 1 });
const now = Date.now();
for (let from = 0; from < MANY; from += 500)
  await storage.store.capture(Array.from({ length: 500 }, (_, o) => { const index = from + o; return {
    host: 'codex' as const, contentSessionId: `many-${Math.floor(index / 100)}`, cwd: '/repos/shop', projectDir: '/repos/shop', promptId: null, agentId: null, agentType: null,
    dedupeKey: `k${index}`, occurredAtEpoch: now - MANY + index, project: { key: '/repos/shop', name: 'shop' }, filterReason: null,
    kind: 'tool-use' as const, toolName: 'Bash', toolUseId: `t${index}`, input: { command: `step ${index}` }, response: { stdout: '' }, outcome: 'succeeded' as const, error: null, isInterrupt: false, durationMs: 1 }; }));
}
const provider = process.argv[2] ?? 'gemini';
const child = spawn(process.execPath, ['--cpu-prof', '--cpu-prof-dir=/tmp/v4/prof', main], { cwd: home.root, env: { ...home.env, CLAUDE_MEM_EMBEDDER: 'none', CLAUDE_MEM_PROVIDER: provider, CLAUDE_MEM_GEMINI_API_KEY: 'x', CLAUDE_MEM_BUDGET_DAY_CALLS: '1' }, stdio: 'inherit' });
const t0=Date.now();const timer=setInterval(()=>{const t=Date.now();requestWorker(home,{path:'/health',timeoutMs:5000}).then(a=>console.log(t-t0,'health',Date.now()-t,a.text.slice(0,300)),e=>console.log(t-t0,String(e)))},2500);
setTimeout(() => child.kill('SIGTERM'), 15000);
await new Promise((r) => child.once('exit', r));
clearInterval(timer);await home[Symbol.asyncDispose]();
