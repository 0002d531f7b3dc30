// What a bundle imports of Node, taken from it by name when it is first used. An `import` of a built-in module reads all that it
// exports, and with that loads what nobody asked for (of node:http a browser's fetch and WebSocket); and in one file the imports of
// all commands are done by each of them. That was two thirds of the time that the command needs to load (Node 26).

import { readFileSync } from 'node:fs'

const NAMESPACE = 'builtin'
const IMPORT = /^import \{([^}]+)\} from '(node:[\w/]+)'/gm

/**
 * A plugin of esbuild. What packages of others import stays as it is.
 * @param {readonly string[]} sources ours, in which names are imported
 * @returns {import('esbuild').Plugin}
 */
export function builtinsByName(sources) {
  const names = readNames(sources)
  return {
    name: 'builtins by name',
    setup(build) {
      build.onResolve({ filter: /^node:/ }, ({ path, kind, importer }) =>
        kind === 'import-statement' && !importer.includes('node_modules')
          ? { path, namespace: NAMESPACE, sideEffects: false }
          : { path, external: true },
      )
      build.onLoad({ filter: /^/, namespace: NAMESPACE }, ({ path }) => {
        const imported = [...(names.get(path) ?? [])]
        // A call that may be left out: what this bundle does not use of them is not read.
        const lines = imported.map((name) => `export const ${name} = /* @__PURE__ */ (() => builtin.${name})()`)
        return { contents: [`const builtin = process.getBuiltinModule('${path}')`, ...lines].join('\n') }
      })
    },
  }
}

/** @param {readonly string[]} sources @returns {Map<string, Set<string>>} by module */
function readNames(sources) {
  /** @type {Map<string, Set<string>>} */
  const names = new Map()
  for (const source of sources) {
    for (const [, list = '', path = ''] of readFileSync(source, 'utf8').matchAll(IMPORT)) {
      const known = names.get(path) ?? new Set()
      names.set(path, known)
      for (const [name] of list.matchAll(/(?<![\w$] as |\btype )\b\w+\b(?=\s*(?:,|$| as ))/g)) known.add(name)
    }
  }
  return names
}
