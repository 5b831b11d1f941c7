import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'

const PROCESS_LINES_KEPT = 2_000

/**
 * The log of a run, one line for each event with its time, and the output of the processes. Used to analyze a failure.
 */
export class Trace {
  readonly #began = performance.now()
  readonly #lines: string[] = []
  readonly #printed: string[] = []
  readonly #live: boolean

  constructor(live: boolean) {
    this.#live = live
  }

  log(text: string): void {
    const line = `${this.#elapsed()}  ${text}`
    this.#lines.push(line)
    if (this.#live) console.log(line)
  }

  /** A line of a process's output. */
  logProcessLine(process: string, line: string): void {
    this.#printed.push(`${this.#elapsed()}  ${process} | ${line}`)
    if (this.#printed.length > PROCESS_LINES_KEPT) this.#printed.shift()
  }

  text(): string {
    return this.#lines.join('\n')
  }

  save(file: string, failure: string): void {
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(
      file,
      [this.text(), '', failure, '', '---- what the processes printed ----', ...this.#printed].join('\n'),
    )
  }

  #elapsed(): string {
    return `${((performance.now() - this.#began) / 1_000).toFixed(2).padStart(7)} s`
  }
}
