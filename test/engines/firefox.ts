import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startProcess } from '@lode/scripts/process'
import type { MemberWallet } from '../browser/wallet.ts'
import type { RunningEngine } from './engine.ts'
import { answerQueue, bodyOfCall, bodyOfInstallation, type RunBody } from './queued-wallet.ts'

const executable = '/usr/bin/firefox-esr'

type Sent = { resolve(result: never): void; reject(error: Error): void }
type Incoming = {
  readonly id?: number
  readonly type: 'success' | 'error' | 'event'
  readonly result?: never
  readonly message?: string
  readonly method?: string
  readonly params?: { readonly level: string; readonly type: string; readonly text: string }
}

/** Debian's Firefox, driven by its own WebDriver BiDi: commands and events as JSON over a WebSocket. */
export async function startFirefox(wallet: MemberWallet): Promise<RunningEngine> {
  if (!existsSync(executable)) throw new Error(`There is no ${executable}: run scripts/bootstrap --engines`)
  const profile = await mkdtemp(join(tmpdir(), 'lode-firefox-'))
  const { address, stop } = await startListening(profile)
  const close = async () => {
    await stop()
    await rm(profile, { recursive: true, force: true, maxRetries: 5 })
  }
  try {
    const errors: string[] = []
    const send = await connect(`${address}/session`, errors)
    const { capabilities } = await send<{ capabilities: { browserVersion: string } }>('session.new', {
      capabilities: {},
    })
    const { contexts } = await send<{ contexts: { context: string }[] }>('browsingContext.getTree', {})
    const context = contexts[0]?.context
    await send('session.subscribe', { events: ['log.entryAdded'] })
    await send('browsingContext.setViewport', { context, viewport: { width: 390, height: 844 } })
    await send('script.addPreloadScript', { functionDeclaration: `() => { ${bodyOfInstallation(wallet)} }` })
    const runBody: RunBody = async (body) => {
      const functionDeclaration = `() => { ${body} }`
      const call = { functionDeclaration, awaitPromise: true, target: { context } }
      const answer = await send<{ result?: { value: string }; exceptionDetails?: { text: string } }>(
        'script.callFunction',
        call,
      )
      if (answer.exceptionDetails) throw new Error(answer.exceptionDetails.text)
      return answer.result?.value ?? ''
    }
    return {
      version: capabilities.browserVersion,
      page: {
        open: async (url) => void (await send('browsingContext.navigate', { context, url, wait: 'complete' })),
        run: async (inPage, argument) => {
          await answerQueue(wallet, runBody)
          return JSON.parse(await runBody(bodyOfCall(inPage, argument)))
        },
        errors,
        screenshot: async (file) => {
          const { data } = await send<{ data: string }>('browsingContext.captureScreenshot', { context })
          await writeFile(file, data, 'base64')
        },
      },
      close,
    }
  } catch (error) {
    await close()
    throw error
  }
}

/** Starts Firefox, which prints the address of its driver when it is ready. */
async function startListening(profile: string): Promise<{ address: string; stop(): Promise<void> }> {
  const lines: string[] = []
  const readAddress = () => /WebDriver BiDi listening on (ws:\S+)/.exec(lines.join('\n'))?.[1]
  const { stop } = await startProcess({
    name: 'Firefox',
    command: executable,
    args: ['--headless', '--profile', profile, '--remote-debugging-port', '0'],
    env: { ...process.env, HOME: profile, LANG: 'en_US.UTF-8' },
    ready: async () => readAddress() !== undefined,
    onLine: (line) => lines.push(line),
  })
  return { address: readAddress() ?? '', stop: () => stop() }
}

type Send = <Result>(method: string, params: object) => Promise<Result>

/** Sends commands to the driver, and collects the errors that the page did not catch. */
async function connect(url: string, errors: string[]): Promise<Send> {
  const socket = new WebSocket(url)
  const sent = new Map<number, Sent>()
  socket.addEventListener('message', ({ data }) => {
    const { id, type, result, message, params } = JSON.parse(String(data)) as Incoming
    if (type === 'event' && params?.level === 'error' && params.type === 'javascript') errors.push(params.text)
    if (id === undefined) return
    if (type === 'error') sent.get(id)?.reject(new Error(message))
    else sent.get(id)?.resolve(result as never)
    sent.delete(id)
  })
  socket.addEventListener('close', () => {
    for (const { reject } of sent.values()) reject(new Error('Firefox has ended'))
  })
  await once(socket, 'open')
  let count = 0
  return (method, params) =>
    new Promise((resolve, reject) => {
      count += 1
      sent.set(count, { resolve, reject })
      socket.send(JSON.stringify({ id: count, method, params }))
    })
}
