import { injectWallets, type WalletAnswer } from '../browser/injected-wallets.ts'
import type { MemberWallet } from '../browser/wallet.ts'

type QueuedRequest = {
  readonly number: number
  readonly id: string
  readonly method: string
  readonly params: readonly unknown[]
}

/** Runs the body of a function in the page. The body returns a text. */
export type RunBody = (body: string) => Promise<string>

/** A call of a function in the page, as the body of a function that returns JSON. */
export const bodyOfCall = (inPage: (argument: never) => unknown, argument: unknown): string =>
  `return JSON.stringify((${inPage})(${JSON.stringify(argument ?? null)}) ?? null)`

/** Puts the wallet into the page, unless it is there already. Can run before the page's own scripts or after them. */
export const bodyOfInstallation = (wallet: MemberWallet): string =>
  `if (!window.takeWalletRequests) { (${installQueue})(); (${injectWallets})(${JSON.stringify([wallet.injection])}) }`

/**
 * Answers for a wallet in an engine whose driver lets the page call no function of the test. The page queues its
 * requests; this takes them, answers them, and hands the answers to the page.
 */
export async function answerQueue(wallet: MemberWallet, runBody: RunBody): Promise<void> {
  const requests = JSON.parse(
    await runBody(`${bodyOfInstallation(wallet)}; return JSON.stringify(window.takeWalletRequests())`),
  ) as QueuedRequest[]
  if (requests.length === 0) return
  const answers = await Promise.all(
    requests.map(async ({ number, method, params }) => [number, await wallet.answer(method, params)] as const),
  )
  await runBody(`window.giveWalletAnswers(${JSON.stringify(answers)}); return ''`)
}

/** Errors of the page since the wallet was put into it. */
export const readPageErrors = async (runBody: RunBody): Promise<string[]> =>
  JSON.parse(await runBody('return JSON.stringify(window.takePageErrors?.() ?? [])')) as string[]

/** Runs in the page, so it cannot use anything from outside. */
function installQueue(): void {
  const requests: QueuedRequest[] = []
  const waiting = new Map<number, (answer: WalletAnswer) => void>()
  let count = 0
  window.askWallet = (id, method, params) =>
    new Promise((resolve) => {
      count += 1
      requests.push({ number: count, id, method, params })
      waiting.set(count, resolve)
    })
  window.takeWalletRequests = () => requests.splice(0)
  window.giveWalletAnswers = (answers: readonly (readonly [number, WalletAnswer])[]) => {
    for (const [number, answer] of answers) waiting.get(number)?.(answer)
  }

  const errors: string[] = []
  const textOf = (thrown: unknown) => (thrown instanceof Error ? `${thrown.message}\n${thrown.stack}` : `${thrown}`)
  addEventListener('error', ({ error, message }) => errors.push(error ? textOf(error) : message))
  addEventListener('unhandledrejection', ({ reason }) => errors.push(textOf(reason)))
  window.takePageErrors = () => errors.splice(0)
}
