import { expect, it } from 'vitest'
import { renderCallbackPage } from '../../src/logins/callback-page.ts'

it('shows what an authorization server says as text, never as a page', () => {
  const why = `<script>alert(1)</script> & "'`
  const { html, status } = renderCallbackPage({ kind: 'failed', server: '<img src=x>', why })
  expect(status).toBe(400)
  expect(html).not.toMatch(/<script|<img/)
  expect(html).toContain('&lt;script&gt;alert(1)&lt;/script&gt; &amp; &quot;&#39;')
})

it.each(['done', 'unknown'] as const)('loads nothing from anywhere (%s)', (kind) => {
  const { html } = renderCallbackPage(kind === 'done' ? { kind, server: 'box' } : { kind })
  expect(html).not.toMatch(/src=|href=|url\(|<script|<form/)
})
