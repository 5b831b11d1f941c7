import { type DestinationStream, type Logger, pino } from 'pino'

const SECRETS = ['authorization', 'cookie', 'signature', 'setupCode', 'token', 'password', 'newPassword', 'secret']

/**
 * No code logs a secret. This is a safeguard in case an object with a secret is logged by mistake. A sign-in `message`
 * is secret for five minutes. It is redacted only in inputs, because an error's `message` must stay readable.
 */
const redact = {
  paths: [
    ...SECRETS.flatMap((name) => [name, `*.${name}`, `*.*.${name}`, `*.*.*.${name}`]),
    ...['body', 'input', '*.body', '*.input'].map((path) => `${path}.message`),
  ],
  censor: '[redacted]',
}

export const createLogger = (process: string, level: string, destination?: DestinationStream): Logger => {
  const options = { level, redact, base: { process }, timestamp: pino.stdTimeFunctions.isoTime }
  return destination ? pino(options, destination) : pino(options)
}
