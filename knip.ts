/**
 * What nobody uses goes: files, exports and dependencies without a reader. The doors of our packages (`index.ts` and the other
 * subpaths) are no exception, since all but the pool's are there for our own packages. Packs are found by their folder. Whatever
 * is left out here, or has `@public` in its comment, says why.
 */
import type { KnipConfig } from 'knip'

const project = ['{src,test,conformance}/**/*.{ts,mjs}', '!**/fixtures/**']

const config: KnipConfig = {
  // The type of a parameter may stand beside its function for who reads it, and costs nothing.
  ignoreExportsUsedInFile: { interface: true, type: true },
  ignoreIssues: {
    // Made for every tool alike, whether it needs all of them or not.
    '**/generated/*.ts': ['exports', 'types'],
    // Declarations of other packages name the types that were inferred from ours, so they must be had from the door.
    'packages/**/src/{index,client,mcp}.ts': ['types'],
    'packages/**/src/**/index.ts': ['types'],
  },
  // Of the system, in tests that fill a disk of their own, make a pipe with a name, or run Windows, and to install for them.
  ignoreBinaries: ['mount', 'umount', 'mkfifo', 'wine', 'wineserver', 'apt-get', 'openssl', 'ctags'],
  workspaces: {
    '.': {
      // Started by npm, by `.ci/run` and by vitest, each by its path.
      entry: [
        'scripts/*.mjs',
        'scripts/checks/*.mjs',
        'scripts/run/summary-reporter.mjs',
        'hostile/test/support/watchdog.mjs',
      ],
      project: ['{scripts,hostile}/**/*.{mjs,ts}'],
      // `scripts/run.mjs exec biome`: its name is an argument. The others go into the package that `npm pack` makes, beside the bundle.
      ignoreDependencies: ['@biomejs/biome', 'ajv', 'smol-toml'],
    },
    'packages/*': { project, includeEntryExports: true },
    'packages/packs/*': { project, includeEntryExports: true },
    'packages/cli': {
      project,
      includeEntryExports: true,
      // The bundle and the front's own; `bin/switchboard.mjs` loads both as they are built.
      entry: ['src/main.ts', 'src/front/main.ts'],
      // The bundle leaves them in node_modules (scripts/run/bundle.mjs), so they are dependencies of the command.
      ignoreDependencies: ['ajv', 'undici', 'ws'],
    },
    'packages/dashboard': {
      project: ['{src,test}/**/*.{ts,tsx,mjs}'],
      // Bundled, and served by the daemon.
      entry: ['src/main.tsx', 'test/fixtures/evil-server.mjs'],
      // Its file is read by its path, and run in the page.
      ignoreDependencies: ['axe-core'],
    },
    'packages/gateway': {
      project,
      includeEntryExports: true,
      // Programs, started by their paths.
      entry: ['conformance/run.ts', 'conformance/reference-server.ts'],
      // A program that a test starts by the path of its package.
      ignoreDependencies: ['@modelcontextprotocol/inspector'],
    },
    'packages/pool': {
      // A library in its own right: its door is for people who write programs with it.
      project,
      // Programs that tests start by the path of their package.
      ignoreDependencies: [
        '@modelcontextprotocol/server-everything',
        '@modelcontextprotocol/server-filesystem',
        '@modelcontextprotocol/server-memory',
      ],
    },
    'packages/secrets': {
      project,
      includeEntryExports: true,
      // Kept by several processes at once, each started by its path.
      entry: ['test/programs/*.ts'],
    },
    'packages/store': {
      project,
      includeEntryExports: true,
      // The program of its threads, and one that a test kills: both are started by their paths.
      entry: ['src/{sqlite,postgres}/thread/main.ts', 'test/fixtures/write-forever.ts'],
    },
    'packages/packs/memory': {
      project,
      includeEntryExports: true,
      // The program of the thread that a model runs in, started by its path, and what writes docs/memory-patterns.md.
      entry: ['src/encoders/onnx/thread/main.ts', 'src/diagnosis/patterns-document.ts'],
    },
    'packages/packs/lens': {
      project,
      includeEntryExports: true,
      // The programs of its threads and of the process that runs queries, started by their paths, and one that a test kills.
      entry: ['src/thread/main.ts', 'src/query/program.ts', 'test/programs/*.ts'],
    },
    'packages/source': {
      project,
      includeEntryExports: true,
      // The program of its thread, and one that a test runs as another user: both are started by their paths.
      entry: ['src/thread/main.ts', 'test/programs/scan-once.ts'],
      // Its files are read by their paths.
      ignoreDependencies: ['@repomix/tree-sitter-wasms'],
    },
    'packages/paradox': {
      // A library in its own right: its door is for whoever asks about a playset, one pack today.
      project,
      // What people run on their own mods.
      entry: ['test/programs/measure-mods.ts'],
    },
    'packages/telemetry': {
      project,
      includeEntryExports: true,
      // A file of its own, loaded by its path where there is a collector.
      entry: ['src/otlp/exporter/main.ts'],
    },
    'packages/testkit': {
      project,
      includeEntryExports: true,
      // A process of its own, started by its path.
      entry: ['src/fixture/main.ts', 'src/oauth/*-program.ts'],
    },
    'packages/vscode': {
      project,
      includeEntryExports: true,
      // Bundled, and loaded by VS Code.
      entry: ['src/extension.ts'],
      // The editor gives itself out as a module.
      ignoreDependencies: ['vscode'],
    },
    bench: {
      // Bundled and started by their paths: see build-programs.ts.
      entry: ['src/main.ts', 'src/{drivers,servers}/*.ts', 'src/gateway/loopback-only.ts'],
      project: ['{src,test}/**/*.ts'],
    },
    'examples/*': {
      // Its functions are the code in the documentation.
      entry: ['src/*.ts'],
      project: ['{src,test}/**/*.ts'],
    },
  },
}

export default config
