import { pino } from 'pino'
import { Registry } from 'prom-client'
import { messageSite } from '../modules/identity/index.ts'
import { checkNewAddresses, createAddressSignatureMetrics } from '../modules/protection/index.ts'
import { createSignatureVerifier } from '../platform/chain/signature-verifier.ts'
import { nodeAt } from '../platform/config/node-address.ts'
import type { Database } from '../platform/db/database.ts'
import { TEST_ORIGIN } from './api.ts'
import { testStack } from './stack.ts'

/** Verifies the signatures of new output addresses once, as the signer does. */
export async function verifyNewAddresses(signer: Database, rpcUrl: string = testStack().rpcUrl): Promise<void> {
  await checkNewAddresses({
    db: signer,
    site: messageSite(new URL(TEST_ORIGIN), testStack().chainId),
    verifySignature: createSignatureVerifier({ nodes: () => [nodeAt(rpcUrl)], onChainCheck: () => {} }),
    metrics: createAddressSignatureMetrics(new Registry()),
    log: pino({ level: 'silent' }),
  })
}
