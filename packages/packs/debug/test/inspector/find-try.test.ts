import { describe, expect, test } from 'vitest'
import { isInsideTry } from '../../src/inspector/find-try.ts'

/** The place is the @; the function begins at the first §, if there is one. */
function look(text: string): boolean {
  const from = Math.max(0, text.indexOf('§'))
  return isInsideTry(text.replace('§', ' ').replace('@', ' '), from, text.indexOf('@'))
}

describe('a place', () => {
  test.each([
    'try { @f() } catch {}',
    'try { if (x) { @f() } } /* so */ catch (e) {}',
    'try { try { @f() } finally {} } catch {}',
    `const s = "}"; try { const t = \`}\${ {a: 1}.a }\`; @f() } catch {}`,
    'try { x = /[}/]}/.test(y) / 2; @f() } catch {}',
    "try { // it's }\n @f() } catch {}",
  ])('is inside a try: %s', (text) => {
    expect(look(text)).toBe(true)
  })

  test.each([
    '@f(); try {} catch {}',
    'try { g() } catch { @f() }',
    'try { g() } catch {} @f()',
    'try { @f() } finally {}',
    'try { later(function §() { @f() }) } catch {}',
    'const text = "try {"; @f()',
    `const text = \`try { \${"x"}\`; @f() // } catch {}`,
    'const re = /try {/; @f()',
    'retry({ a: 1 }); const o = { x: () => @f() }; try { } catch {}',
    '@f() /* unclosed',
  ])('is in none: %s', (text) => {
    expect(look(text)).toBe(false)
  })
})
