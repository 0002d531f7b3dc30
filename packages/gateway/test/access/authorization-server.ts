/** A small authorization server on loopback: publishes keys and metadata, signs whatever a test asks for. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type CryptoKey, exportJWK, generateKeyPair, type JWK, SignJWT } from 'jose'

export interface SignOptions {
  readonly kid?: string
  /** Leaves the key's id out of the header. */
  readonly unnamed?: boolean
  readonly alg?: string
  readonly typ?: string
  /** Seconds from now. Null: no `exp` at all. */
  readonly expiresIn?: number | null
}

interface SigningKey {
  readonly kid: string
  readonly alg: string
  readonly privateKey: CryptoKey
  readonly publicJwk: JWK
}

export class AuthorizationServer implements AsyncDisposable {
  readonly #server = createServer((request, response) => this.#answer(request, response))
  readonly requests: string[] = []
  readonly #keys: SigningKey[] = []
  /** Which of its metadata documents it has. */
  metadataPaths: string[] = ['/.well-known/oauth-authorization-server']
  /** Overrides members of the metadata. */
  metadata: Record<string, unknown> = {}
  keysStatus = 200
  path = ''

  static async start(): Promise<AuthorizationServer> {
    const server = new AuthorizationServer()
    await new Promise<void>((resolve) => server.#server.listen(0, '127.0.0.1', resolve))
    return server
  }

  get origin(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  get issuer(): string {
    return `${this.origin}${this.path}`
  }

  get jwksUri(): string {
    return `${this.origin}/keys`
  }

  count(path: string): number {
    return this.requests.filter((seen) => seen === path).length
  }

  async addKey(kid: string, alg = 'ES256'): Promise<void> {
    const { privateKey, publicKey } = await generateKeyPair(alg)
    this.#keys.push({ kid, alg, privateKey, publicJwk: { ...(await exportJWK(publicKey)), kid, alg, use: 'sig' } })
  }

  removeKey(kid: string): void {
    this.#keys.splice(
      this.#keys.findIndex((key) => key.kid === kid),
      1,
    )
  }

  /** Signed with the newest key, unless told otherwise. */
  async sign(claims: Record<string, unknown>, options: SignOptions = {}): Promise<string> {
    const key = options.kid === undefined ? this.#keys.at(-1) : this.#keys.find(({ kid }) => kid === options.kid)
    if (key === undefined) throw new Error('There is no such key')
    const { expiresIn = 300 } = options
    const token = new SignJWT({ iss: this.issuer, sub: 'ada', ...claims }).setProtectedHeader({
      alg: options.alg ?? key.alg,
      typ: options.typ ?? 'at+jwt',
      ...(options.unnamed === true ? {} : { kid: key.kid }),
    })
    if (expiresIn !== null) token.setExpirationTime(Math.floor(Date.now() / 1000) + expiresIn)
    return token.sign(key.privateKey)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections()
    await new Promise((resolve) => this.#server.close(resolve))
  }

  #answer(request: IncomingMessage, response: ServerResponse): void {
    const url = request.url ?? ''
    this.requests.push(url)
    const send = (status: number, body: unknown): void => {
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    }
    if (url === '/keys') send(this.keysStatus, { keys: this.#keys.map(({ publicJwk }) => publicJwk) })
    else if (this.metadataPaths.includes(url))
      send(200, { issuer: this.issuer, jwks_uri: this.jwksUri, ...this.metadata })
    else send(404, { error: 'not_found' })
  }
}
