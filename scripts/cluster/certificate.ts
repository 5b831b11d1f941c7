import { execFile } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** A certificate of a few days for 127.0.0.1, that signs itself. Returns the file for HAProxy and the file to trust. */
export async function makeCertificate(folder: string): Promise<{ readonly server: string; readonly trusted: string }> {
  const [key, trusted, server] = ['tls.key', 'tls.crt', 'tls.pem'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ]
  await run('openssl', [
    ...['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '5'],
    ...['-subj', '/CN=Lode cluster', '-addext', 'subjectAltName=IP:127.0.0.1', '-keyout', key, '-out', trusted],
  ])
  await writeFile(server, `${await readFile(trusted, 'utf8')}${await readFile(key, 'utf8')}`, { mode: 0o600 })
  return { server, trusted }
}
