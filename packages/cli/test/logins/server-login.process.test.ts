/** Logging in as a person does: the command, a browser that is a program, a real authorization server. */
import { readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { findFreePort, type PipedProgram, startProgram, waitFor } from '@switchboard/testkit'
import {
  type AuthorizationOptions,
  type OAuthProgram,
  startAuthorizationServer,
  startProtectedServer,
  visitPage,
  writeBrowser,
} from '@switchboard/testkit/oauth'
import { useBench, WITHOUT_PACKS } from '@switchboard/testkit/suite'
import { describe, expect, test } from 'vitest'

const bench = useBench({ name: 'login' })

interface World {
  readonly server: OAuthProgram
  readonly authorization: OAuthProgram
  /** With a browser that opens what it is given; `env` may take it away. */
  start(argv: readonly string[], env?: Readonly<Record<string, string>>): PipedProgram
  run(
    argv: readonly string[],
    env?: Readonly<Record<string, string>>,
  ): Promise<{ code: number | string; out: string; err: string }>
  page(): Promise<{ url: string; status: number; text: string; headers: Record<string, string> }>
}

async function createWorld(options: AuthorizationOptions = {}): Promise<World> {
  const authorization = await startAuthorizationServer(options)
  bench.defer(() => authorization.stop())
  const server = await startProtectedServer({ issuer: authorization.url })
  bench.defer(() => server.stop())
  const config = {
    mcpServers: { box: { url: server.url }, prog: bench.fixture('prog') },
    daemon: { keychain: 'off' },
    gateway: { port: 0 },
    packs: WITHOUT_PACKS,
  }
  const home = bench.directory.path
  await writeFile(bench.directory.file('config.json'), JSON.stringify(config), { mode: 0o600 })
  const [browser, page] = [bench.directory.file('browser.sh'), bench.directory.file('page.json')]
  await writeBrowser(browser, page)
  const start: World['start'] = (argv, env = {}) =>
    startProgram(argv, { home, stdin: 'ended', env: { BROWSER: browser, ...env } })
  return {
    server,
    authorization,
    start,
    async run(argv, env) {
      const program = start(argv, env)
      return { code: await program.ended, out: program.out(), err: program.err() }
    },
    // Written by the browser of the test.
    page: () => waitFor(async () => JSON.parse(await readFile(page, 'utf8')), { what: 'the last page' }),
  }
}

test('whoever adds a server that wants a login is told the command for that, and nothing that needs it done', async () => {
  const world = await createWorld()
  await startDaemon(world)
  const { out } = await world.run(['server', 'add', 'more', world.server.url])
  expect(out).toContain('it needs a login: switchboard server login more')
  expect(out).not.toContain('next:')
})

async function startDaemon({ run }: World): Promise<void> {
  expect(await run(['up'])).toMatchObject({ code: 0 })
  bench.defer(() => run(['down']))
}

/** Of the login that the command waits for. */
async function readAddress(program: PipedProgram): Promise<string> {
  return waitFor(() => /^ {2}(http:\S+)$/m.exec(program.err())?.[1], { what: 'the address of the login' })
}

const NO_BROWSER = { BROWSER: 'none' }

test('a server that is pasted in the words of Claude Code is logged in to with its client, at its address', async () => {
  const world = await createWorld({ registers: false, byHandAt: 'localhost' })
  const port = await findFreePort()
  const oauth = { clientId: 'by-hand', callbackPort: port, scopes: 'read offline_access' }
  const snippet = JSON.stringify({ mcpServers: { chat: { type: 'http', url: world.server.url, oauth } } })
  expect(await world.run(['server', 'add', snippet])).toMatchObject({ code: 0, err: '' })
  expect(await world.run(['server', 'login', 'chat'])).toMatchObject({ code: 0 })
  expect(new URL((await world.page()).url)).toMatchObject({
    hostname: 'localhost',
    port: String(port),
    pathname: '/callback',
  })
  expect(world.authorization.events()).toContainEqual({ granted: 'authorization_code', client: 'by-hand' })
})

describe.each(['with', 'without'] as const)('%s a daemon', (kind) => {
  test('a login opens the browser, is kept for the person alone, and works from then on', async () => {
    const world = await createWorld()
    if (kind === 'with') await startDaemon(world)
    const { code, out, err } = await world.run(['server', 'login', 'box'])
    expect({ code, out, err }).toMatchObject({
      code: 0,
      out: expect.stringContaining('logged in to box at http://127.0.0.1'),
    })
    expect(err).toContain('Your browser opens the page of')
    const page = await world.page()
    expect(page).toMatchObject({ status: 200, text: expect.stringContaining('logged in to the server <b>box</b>') })
    expect(page.headers['content-security-policy']).toContain("default-src 'none'")
    expect(page.headers['cache-control']).toBe('no-store')
    const folder = bench.directory.file('secrets')
    const [file = ''] = (await readdir(folder)).filter((name) => name.endsWith('.secret.json'))
    expect((await stat(`${folder}/${file}`)).mode & 0o777).toBe(0o600)
    expect(await world.run(['call', 'box_whoami'])).toMatchObject({
      code: 0,
      out: expect.stringContaining('called whoami'),
    })
    const { access, refresh } = JSON.parse(JSON.parse(await readFile(`${folder}/${file}`, 'utf8')).secret).tokens
    const code_ = new URL(page.url).searchParams.get('code') ?? ''
    const told = [page.text, out, err, await readHome(), kind === 'with' ? await readMetrics(world) : '']
    for (const argv of [['status'], ['doctor'], ['server', 'show', 'box'], ['logs']]) {
      const { out: text, err: more } = await world.run([...argv, '--json'])
      told.push(text, more)
    }
    for (const secret of [access, refresh, code_]) {
      expect(secret.length).toBeGreaterThan(10)
      expect(told.join('\n')).not.toContain(secret)
    }
  })

  test('a login is told as JSON, and ended by logging out', async () => {
    const world = await createWorld()
    if (kind === 'with') await startDaemon(world)
    const login = await world.run(['server', 'login', 'box', '--json'])
    expect(JSON.parse(login.out)).toEqual({
      ok: true,
      server: 'box',
      issuer: world.authorization.url,
      kept: expect.stringContaining('only you may read (0600)'),
    })
    expect(JSON.parse((await world.run(['server', 'logout', 'box', '--json'])).out)).toEqual({
      ok: true,
      server: 'box',
      wasLoggedIn: true,
      revoked: true,
    })
    const { code, err } = await world.run(['call', 'box_whoami'])
    expect({ code, err }).toMatchObject({ code: 69, err: expect.stringContaining('switchboard server login box') })
    expect(await world.run(['server', 'logout', 'box'])).toMatchObject({
      code: 0,
      out: 'nobody was logged in to box\n',
    })
  })

  test('a server that is removed is logged out first', async () => {
    const world = await createWorld()
    if (kind === 'with') await startDaemon(world)
    expect(await world.run(['server', 'login', 'box'])).toMatchObject({ code: 0 })
    const missing = await world.run(['server', 'remove', 'bax'])
    expect(missing).toMatchObject({ code: 2, err: expect.stringContaining('bax') })
    const { code, out } = await world.run(['server', 'remove', 'box'])
    expect({ code, out }).toMatchObject({ code: 0, out: expect.stringContaining('removed box from') })
    expect(out).toContain('the authorization server was told')
    const folder = bench.directory.file('secrets')
    const kept = await Promise.all((await readdir(folder)).map((name) => readFile(`${folder}/${name}`, 'utf8')))
    expect(kept.join('\n')).not.toMatch(/"tokens|access/)
  })

  test('Ctrl-C gives a login up, and the next one begins anew', async () => {
    const world = await createWorld()
    if (kind === 'with') await startDaemon(world)
    const waiting = world.start(['server', 'login', 'box'], NO_BROWSER)
    const address = await readAddress(waiting)
    const redirect = new URL(address).searchParams.get('redirect_uri') ?? ''
    waiting.child.kill('SIGINT')
    expect(await waiting.ended).toBe(130)
    await waitFor(
      () =>
        fetch(redirect).then(
          () => false,
          () => true,
        ),
      { what: 'nobody to listen any more' },
    )
    expect(await world.run(['server', 'login', 'box'])).toMatchObject({ code: 0 })
  })

  test('a person who does not agree, and a server without a login, are told as what they are', async () => {
    const world = await createWorld({ refuses: ['person'] })
    if (kind === 'with') await startDaemon(world)
    const { code, err } = await world.run(['server', 'login', 'box'])
    expect({ code, err }).toMatchObject({ code: 69, err: expect.stringContaining('login_failed') })
    expect(err).toContain('access_denied: <b>The person</b> said no')
    const page = await world.page()
    expect(page.status).toBe(400)
    expect(page.text).toContain('&lt;b&gt;The person&lt;/b&gt; said no')
    expect(await world.run(['server', 'login', 'prog'])).toMatchObject({
      code: 69,
      err: expect.stringContaining('has no login'),
    })
    expect((await world.run(['server', 'login', 'bax'])).err).toContain('unknown_server')
  })
})

/** Logs, traces, caches, databases: all but where secrets are kept, and what the browser of the test wrote. */
async function readHome(): Promise<string> {
  const home = bench.directory.path
  const files = await readdir(home, { recursive: true, withFileTypes: true })
  const texts = files
    .filter((file) => file.isFile() && file.parentPath !== `${home}/secrets` && file.name !== 'page.json')
    .map((file) => readFile(`${file.parentPath}/${file.name}`, 'latin1'))
  return (await Promise.all(texts)).join('\n')
}

async function readMetrics({ run }: World): Promise<string> {
  const { daemon } = JSON.parse((await run(['status', '--json'])).out)
  const response = await fetch(new URL('/metrics', daemon.http.url))
  expect(response.status).toBe(200)
  return await response.text()
}

test('a second login at once joins the first, and whoever gives up does not end it for the other', async () => {
  const world = await createWorld()
  await startDaemon(world)
  const first = world.start(['server', 'login', 'box'], NO_BROWSER)
  const address = await readAddress(first)
  const second = world.start(['server', 'login', 'box', '--no-browser'])
  expect(await readAddress(second)).toBe(address)
  first.child.kill('SIGINT')
  expect(await first.ended).toBe(130)
  expect(await visitPage(address)).toMatchObject({ status: 200 })
  expect(await second.ended).toBe(0)
})

test('whoever does not bring the secret of the login gets nothing from its address, and ends nothing', async () => {
  const world = await createWorld()
  const waiting = world.start(['server', 'login', 'box'], NO_BROWSER)
  const address = await readAddress(waiting)
  const redirect = new URL(address).searchParams.get('redirect_uri') ?? ''
  const state = new URL(address).searchParams.get('state') ?? ''
  const strangers = [
    `${redirect}?code=guessed&state=guessed`,
    `${redirect}?error=access_denied`,
    `${redirect.replace('/callback', '/')}?state=${state}&code=x`,
    redirect,
  ]
  for (const url of strangers) {
    const answer = await fetch(url)
    expect([url, answer.status]).toEqual([url, 404])
    expect(await answer.text()).not.toContain('guessed')
  }
  expect((await fetch(`${redirect}?state=${state}&code=x`, { method: 'POST' })).status).toBe(404)
  // A page of another name that was led to this address (DNS rebinding).
  expect((await askAs(redirect, `evil.example:${new URL(redirect).port}`)).status).toBe(404)
  const page = await visitPage(address)
  expect(page.status).toBe(200)
  expect(await waiting.ended).toBe(0)
  // Its address is closed once it is over.
  await waitFor(
    () =>
      fetch(page.url).then(
        () => false,
        () => true,
      ),
    { what: 'the address to be closed' },
  )
})

test('an answer that names another authorization server is refused with its code unused', async () => {
  const world = await createWorld()
  const waiting = world.start(['server', 'login', 'box'], NO_BROWSER)
  const back = await visitPage(await readAddress(waiting), ({ pathname }) => pathname === '/callback')
  const mixed = new URL(back.url)
  mixed.searchParams.set('iss', 'https://evil.example')
  expect((await fetch(mixed)).status).toBe(400)
  expect(await waiting.ended).toBe(69)
  expect(waiting.err()).toContain('nothing of it was used')
  expect(world.authorization.events().some(({ granted }) => granted !== undefined)).toBe(false)
})

async function askAs(url: string, host: string): Promise<{ status: number }> {
  const { get } = await import('node:http')
  return new Promise((resolve, reject) => {
    get(url, { headers: { host } }, (answer) => {
      answer.resume()
      resolve({ status: answer.statusCode ?? 0 })
    }).on('error', reject)
  })
}
