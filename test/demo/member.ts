import { randomUUID } from 'node:crypto'
import { type DataOf, type RequestOf, RISK_VERSION, type RouteName } from '@lode/wire'
import type { LocalAccount } from 'viem'
import { mnemonicToAccount, privateKeyToAccount } from 'viem/accounts'
import { Random } from '../sim/random.ts'
import { callRoute } from './call-route.ts'
import { CAST_PASSWORD, cast, type RoleName } from './cast.ts'
import type { MemberScript } from './member-scripts.ts'

export const DEVELOPMENT_MNEMONIC = 'test test test test test test test test test test test junk'

export const accountOf = (role: RoleName): LocalAccount =>
  mnemonicToAccount(DEVELOPMENT_MNEMONIC, { addressIndex: cast.find(({ name }) => name === role)?.place ?? 0 })

/** A person with a wallet and a browser, who does through the api what a member does by hand. */
export class Member {
  readonly script: MemberScript
  readonly wallet: LocalAccount
  readonly #origin: string
  readonly #browser: string
  readonly #strangeBrowser: string
  #token: string | null = null
  #signed: { message: string; signature: string } | null = null
  /** Its invitation code. */
  code: string | null = null
  level = 0

  constructor(origin: string, seed: number, script: MemberScript) {
    this.script = script
    this.#origin = origin
    const random = new Random(seed, 'wallet', script.index)
    this.wallet = script.role ? accountOf(script.role) : privateKeyToAccount(random.hex32())
    this.#browser = random.hex32().slice(2, 24)
    this.#strangeBrowser = random.hex32().slice(2, 24)
  }

  /** Signs the registration message in advance. All members can do this at once, while they register one by one. */
  async signRegistration(invite: string): Promise<void> {
    this.#signed = await this.#sign(invite)
  }

  async register(invite: string): Promise<void> {
    const signed = this.#signed ?? (await this.#sign(invite))
    const { lang } = this.script
    const registered = await callRoute(this.#origin, 'sign/regist', { ...signed, invite, lang, device: this.#browser })
    this.#token = registered.token
    this.#setupCode = registered.setupCode
  }

  #setupCode: string | null = null

  /**
   * The steps right after registration: a fund password if the member will need one, and for the cast the risk
   * explanation.
   */
  async completeRegistration(): Promise<void> {
    const { hasPassword, role } = this.script
    if (!hasPassword) return
    const setupCode = this.#setupCode ?? (await this.#newSetupCode())
    await this.call('account/fund-password', { setupCode, newPassword: CAST_PASSWORD })
    if (role) await this.call('account/accept-risk', { version: RISK_VERSION })
  }

  /** The command line created the first member, who got no set-up code. */
  async #newSetupCode(): Promise<string> {
    const { message } = await this.call('account/challenge', { purpose: 'setup-code' })
    const signature = await this.wallet.signMessage({ message })
    return (await this.call('account/fund-password/setup-code', { message, signature })).setupCode
  }

  get isSignedIn(): boolean {
    return this.#token !== null
  }

  /** Returns the session token. */
  async signIn({ exit = false, elsewhere = false } = {}): Promise<string> {
    const device = elsewhere ? this.#strangeBrowser : this.#browser
    const signed = await this.#sign()
    const { lang } = this.script
    const { token } = await callRoute(this.#origin, 'sign/login', {
      ...signed,
      lang,
      device,
      ...(exit ? { exit } : {}),
    })
    this.#token = token
    return token
  }

  /** Forgets the token, because the session does not last until tomorrow. */
  forgetSession(): void {
    this.#token = null
  }

  call<Name extends RouteName>(name: Name, input: Omit<RequestOf<Name>, 'account'>): Promise<DataOf<Name>> {
    const whole = { ...input, account: this.wallet.address } as unknown as RequestOf<Name>
    return callRoute(this.#origin, name, whole, this.#token ?? '')
  }

  /** Like `as`, with a new idempotency key. */
  press<Name extends RouteName>(name: Name, input: Omit<RequestOf<Name>, 'account' | 'key'>): Promise<DataOf<Name>> {
    return this.call(name, { ...input, key: randomUUID() } as unknown as Omit<RequestOf<Name>, 'account'>)
  }

  async #sign(invite?: string): Promise<{ message: string; signature: string }> {
    const { address } = this.wallet
    const { message } = await callRoute(this.#origin, 'sign/check', { account: address, ...(invite ? { invite } : {}) })
    if (message === null) throw new Error(`${address} was given nothing to sign`)
    return { message, signature: await this.wallet.signMessage({ message }) }
  }
}
