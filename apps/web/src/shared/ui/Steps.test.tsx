import { renderToStaticMarkup } from 'react-dom/server'
import { beforeAll, describe, expect, it } from 'vitest'
import { startI18n } from '../i18n/index.ts'
import { session } from '../session/index.ts'
import { type Step, Steps } from './Steps.tsx'

const render = (steps: Step[], announced = true) => {
  const page = renderToStaticMarkup(<Steps label="Progress" steps={steps} announced={announced} />)
  return /role="status">(.*?)<\/div>/.exec(page)?.[1]
}
const readOut = (...steps: Step[]) => render(steps)
const connect: Step = { key: 'connect', state: 'done', title: 'Connecting', detail: 'Example wallet' }
const request: Step = { key: 'request', state: 'done', title: 'Requesting', detail: 'Not registered yet.' }
const submit: Step = { key: 'submit', state: 'waiting', title: 'Registering' }

beforeAll(async () => {
  session.chooseLanguage('en')
  await startI18n({ onLanguage: () => {}, onFailure: (error) => expect.fail(`${error}`) })
})

describe('the step that screen readers announce', () => {
  it('is the current step', () => {
    expect(readOut(connect, { ...request, state: 'current' }, submit)).toBe('Requesting (in progress)')
  })

  it('is the step that failed, with why', () => {
    expect(readOut(connect, { ...request, state: 'failed' })).toBe('Requesting (failed) Not registered yet.')
  })

  it('is the last failed step, which has the reason, if an earlier one failed too', () => {
    const outcome: Step = { key: 'outcome', state: 'failed', title: 'Login failed', detail: 'Declined.' }
    expect(readOut(connect, { ...request, state: 'failed' }, outcome)).toBe('Login failed (failed) Declined.')
  })

  it('is none if the page announces the step itself', () => {
    expect(render([connect, { ...request, state: 'failed' }], false)).toBe('')
  })

  it('is the last finished step with its detail while the member decides, never a step that has not begun', () => {
    expect(readOut(connect, request, submit)).toBe('Requesting (done) Not registered yet.')
  })
})
