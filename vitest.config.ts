import { defineConfig } from 'vitest/config'

/** Our packages are resolved to their sources, so that tests never run against a stale build. */
const conditions = ['switchboard-source', 'node', 'import', 'module', 'default']

/** Below the folder of a package, an example, the benchmarks, the attacks or the scripts. */
const PLACES = ['packages/{*,packs/*}', 'examples/*', 'bench', 'hostile', 'scripts']
const PROCESS_TESTS = PLACES.map((place) => `${place}/test/**/*.process.test.ts`)
/** They need the machine, or a process of their own, for themselves: each says why at its top. */
const ALONE = '**/*.alone.process.test.ts'
/** Below the same folders only: whoever looks everywhere finds the whole machine, which is a drive of the Windows in .toolchain. */
const ALONE_TESTS = PLACES.map((place) => `${place}/test/${ALONE}`)
const NODE_MODULES = '**/node_modules/**'

/** Real child processes. The limits are for what hangs: beside others a test has taken ten times its usual time. */
const processes = {
  globalSetup: ['./scripts/run/current-bundle.mjs'],
  testTimeout: 180_000,
  hookTimeout: 180_000,
}

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions, externalConditions: conditions } },
  test: {
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: ['packages/{*,packs/*}/test/**/*.test.ts', 'bench/test/**/*.test.ts', 'scripts/test/**/*.test.ts'],
          exclude: ['**/*.process.test.ts', NODE_MODULES],
          // Unit tests share no globals, so they run without isolation: 18 times less CPU.
          isolate: false,
          // A busy machine is no failure; what hangs is found all the same.
          testTimeout: 30_000,
          hookTimeout: 30_000,
        },
      },
      {
        extends: true,
        test: {
          ...processes,
          name: 'process',
          include: PROCESS_TESTS,
          exclude: [ALONE, NODE_MODULES],
          // They share nothing but the machine: homes, ports, markers and temporary folders are each test's own.
          maxWorkers: 2,
          isolate: false,
          sequence: { groupOrder: 1 },
        },
      },
      {
        extends: true,
        test: {
          ...processes,
          name: 'alone',
          include: ALONE_TESTS,
          exclude: [NODE_MODULES],
          fileParallelism: false,
          sequence: { groupOrder: 2 },
        },
      },
    ],
  },
})
