import type { Pattern } from '../pattern.ts'
import { DATABASE } from './database.ts'
import { DOCKER } from './docker.ts'
import { GIT } from './git.ts'
import { GO } from './go.ts'
import { JAVA } from './java.ts'
import { KUBERNETES } from './kubernetes.ts'
import { NATIVE } from './native.ts'
import { NETWORK } from './network.ts'
import { NODE } from './node.ts'
import { NPM } from './npm.ts'
import { PYTHON } from './python.ts'
import { RUST } from './rust.ts'
import { SYSTEM } from './system.ts'
import { TLS } from './tls.ts'
import { TOOLS } from './tools.ts'
import { TYPESCRIPT } from './typescript.ts'

/** By area, as the page of the patterns shows them. */
export const AREAS: Readonly<Record<string, readonly Pattern[]>> = {
  Node: NODE,
  npm: NPM,
  TypeScript: TYPESCRIPT,
  'Python and pip': PYTHON,
  Go: GO,
  Rust: RUST,
  Java: JAVA,
  'C, C++ and linking': NATIVE,
  Docker: DOCKER,
  Git: GIT,
  Kubernetes: KUBERNETES,
  'Network, TLS and DNS': [...NETWORK, ...TLS],
  'Rights, disks and shells': SYSTEM,
  Databases: DATABASE,
  'VS Code and MCP': TOOLS,
}

export const PATTERNS: readonly Pattern[] = Object.values(AREAS).flat()
