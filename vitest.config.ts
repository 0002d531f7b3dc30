import { defineConfig } from 'vitest/config'

/** Our packages are resolved to their sources, so that tests never run against a stale build. */
const conditions = ['switchboard-source', 'node', 'import', 'module', 'default']
const resolve = { conditions }
const ssr = { resolve: { conditions, externalConditions: conditions } }

export default defineConfig({
  resolve,
  ssr,
  test: {
    projects: [
      {
        resolve,
        ssr,
        test: {
          name: 'unit',
          include: ['packages/{*,packs/*}/test/**/*.test.ts', 'scripts/test/**/*.test.ts'],
          exclude: ['**/*.process.test.ts', '**/node_modules/**'],
          // Unit tests share no globals, so they run without isolation: 18 times less CPU.
          isolate: false,
          // A busy machine is no failure; what hangs is found all the same.
          testTimeout: 30_000,
          hookTimeout: 30_000,
        },
      },
      {
        resolve,
        ssr,
        test: {
          name: 'process',
          include: [
            'packages/{*,packs/*}/test/**/*.process.test.ts',
            'examples/*/test/**/*.process.test.ts',
            'bench/test/**/*.process.test.ts',
          ],
          // Real child processes: one file at a time, and room for a loaded machine.
          fileParallelism: false,
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
    ],
  },
})
