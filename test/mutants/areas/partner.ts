import { type Mutant, mutantsOf } from '../mutant.ts'

const modules = 'apps/server/src/modules'
const airdropCheck = `${modules}/partner/airdrop-check.integration.test.ts`

export const partner: readonly Mutant[] = [
  ...mutantsOf(
    `${modules}/partner/airdrop-check.ts`,
    [airdropCheck],
    [
      ["return 'its key is not that of an appointment'", 'return null'],
      ['body.verb !== appointment.verb ||', ''],
      ['body.subject !== appointment.subject ||', ''],
      ['!isAddressEqual(body.address, appointment.address)', 'false'],
      ['(await readVersionInForce(db, signedAt)) !== planVersion', 'planVersion < 1'],
      ['body.airdrop === String(airdrop) &&', ''],
    ],
  ),
  ...mutantsOf(
    `${modules}/operators/operators.ts`,
    [airdropCheck],
    [
      ['const operators = findOperatorsAt(chain, carriedOutAt)', 'const operators = chain.operators'],
      [
        'findFirstSignatures(decision.text, inOffice, operators)',
        'findFirstSignatures(decision.text, decision.signatures, operators)',
      ],
      ['!verified || verified.signers.length < SIGNATURES_NEEDED', '!verified'],
      ['decision.expiresAt > carriedOutAt ?', 'verified.signers.length > 0 ?'],
    ],
  ),
  ...mutantsOf(
    `${modules}/operators/operator-chain.ts`,
    [`${modules}/operators/operator-chain.test.ts`],
    [
      ['since <= at', 'since < at'],
      ['.toSorted((one, other) => one.at.getTime() - other.at.getTime())', ''],
      ['.at(SIGNATURES_NEEDED - 1)', '.at(0)'],
    ],
  ),
  ...mutantsOf(
    `${modules}/ledger/posted-transactions.ts`,
    [`${modules}/ledger/posted-transactions.test.ts`],
    [
      ['postings.length === 2 &&', ''],
      ['one.owner === owner &&', ''],
    ],
  ),
]
