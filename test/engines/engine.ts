import type { MemberWallet } from '../browser/wallet.ts'

/** What a check needs from a browser, so that the same checks run with every program that drives an engine. */
export type EnginePage = {
  open(url: string): Promise<void>
  /** Runs a function in the page. It may use only its argument and the page's own globals. */
  run<Argument, Result>(inPage: (argument: Argument) => Result, argument: Argument): Promise<Result>
  /** Uncaught errors of the page since the engine was started. */
  readonly errors: readonly string[]
  screenshot(file: string): Promise<void>
}

export type RunningEngine = {
  /** As the engine reports it. */
  readonly version: string
  readonly page: EnginePage
  close(): Promise<void>
}

export type Engine = {
  readonly name: string
  /** Starts the engine with a window as large as a phone's, with this wallet injected into every page. */
  start(wallet: MemberWallet): Promise<RunningEngine>
}
