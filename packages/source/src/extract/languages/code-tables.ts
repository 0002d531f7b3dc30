import type { GrammarName } from '../../languages.ts'
import type { CodeTable } from '../code-table.ts'
import { C } from './c.ts'
import { GO } from './go.ts'
import { JAVA } from './java.ts'
import { PYTHON } from './python.ts'
import { RUBY } from './ruby.ts'
import { RUST } from './rust.ts'
import { SCRIPT } from './script.ts'

export const CODE_TABLES: Readonly<Record<GrammarName, CodeTable>> = {
  c: C,
  cpp: C,
  go: GO,
  java: JAVA,
  javascript: SCRIPT,
  python: PYTHON,
  ruby: RUBY,
  rust: RUST,
  tsx: SCRIPT,
  typescript: SCRIPT,
}
