import type { BackendServer } from '../../src/backend/backend.ts'

export function createServer(changes: Partial<BackendServer> & { name: string }): BackendServer {
  return {
    state: 'ready',
    stale: false,
    transport: 'stdio',
    shared: true,
    restarts: 0,
    attempt: 0,
    inFlight: 0,
    queued: 0,
    calls: 0,
    failures: 0,
    tools: 0,
    resources: 0,
    prompts: 0,
    serialised: false,
    lastStderr: [],
    ...changes,
  }
}

export const SERVERS: readonly BackendServer[] = [
  createServer({
    name: 'everything',
    era: 'legacy',
    pid: 4711,
    uptimeMs: 83_000,
    tools: 16,
    p50Ms: 12,
    p95Ms: 40,
    inFlight: 2,
    queued: 1,
  }),
  createServer({ name: 'github', transport: 'http', era: 'modern', uptimeMs: 4_000_000, tools: 40, restarts: 2 }),
  createServer({
    name: 'database',
    state: 'backoff',
    stale: true,
    reason: 'the server exited with code 3',
    lastStderr: ['starting', 'no such file', 'no such file'],
    nextAttemptInMs: 4200,
    attempt: 3,
    restarts: 7,
  }),
  createServer({
    name: 'grep',
    state: 'not_installed',
    stale: true,
    reason: 'the command "rg-mcp" was not found on the PATH',
    install: 'npm install -g rg-mcp',
  }),
  createServer({
    name: 'web',
    transport: 'sse',
    state: 'auth_required',
    stale: true,
    reason: 'the server answered 401',
  }),
  createServer({ name: 'memory', state: 'disabled', stale: true }),
  createServer({ name: 'lens', state: 'idle', stale: true, tools: 5 }),
]
