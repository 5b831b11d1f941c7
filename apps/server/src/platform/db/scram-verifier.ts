import { createHash, createHmac, pbkdf2Sync, randomBytes } from 'node:crypto'

/** What PostgreSQL uses by default (scram_iterations). */
const ITERATIONS = 4096

/**
 * What PostgreSQL stores instead of a password (RFC 5803). `alter role` takes it as well as the password itself. So the
 * password never reaches the server, where a log of statements could keep it. Only for printable ASCII, which needs no
 * normalization.
 */
export function scramVerifier(password: string, salt: Buffer = randomBytes(16)): string {
  const salted = pbkdf2Sync(password, salt, ITERATIONS, 32, 'sha256')
  const keyFor = (use: string): Buffer => createHmac('sha256', salted).update(use).digest()
  const storedKey = createHash('sha256').update(keyFor('Client Key')).digest('base64')
  const serverKey = keyFor('Server Key').toString('base64')
  return `SCRAM-SHA-256$${ITERATIONS}:${salt.toString('base64')}$${storedKey}:${serverKey}`
}
