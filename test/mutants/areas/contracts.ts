import { type Mutant, mutantsOf } from '../mutant.ts'

const folder = 'packages/contracts'
const test = (name: string) => ({ tests: [`${folder}/test/${name}.t.sol`] })

export const contracts: readonly Mutant[] = [
  ...mutantsOf(
    `${folder}/src/PoolVault.sol`,
    [`${folder}/test/Release.t.sol`],
    [
      ['gasleft() > (gasEach * 64) / 63 + 10_000', 'gasleft() > (gasEach * 64) / 63', test('HostileToken')],
      ['gasleft() > (gasEach * 64) / 63 + 10_000', 'gasleft() > gasEach + 10_000', test('HostileToken')],
      ['        _isPayoutReleased[payout.id] = true;\n', ''],
      ['if (payout.amount > _payoutLimit[payout.token].available(THE_ENTRY)) return Outcome.Cap;', ''],
      ['        _payoutLimit[token].consume(THE_ENTRY, amount);\n', ''],
      ['        require(_mayBePaid(payout.to), BadReceiver(payout.to));\n', ''],
      ['        require(msg.sender == address(this), OnlyTheVaultItself());\n', ''],
      ['CAP_WINDOW = 24 hours', 'CAP_WINDOW = 23 hours'],
      ['        _requireBalance(token, to, receiverHeld + amount);\n', '', test('HostileToken')],
      ['        _requireBalance(token, address(this), held + amount);\n', '', test('HostileToken')],
      ['block.timestamp <= quote.deadline', 'block.timestamp < quote.deadline', test('Pay')],
      ['        isQuoteSpent[digest] = true;\n', '', test('Pay')],
      ['fault == ECDSA.RecoverError.NoError && signer == quoteSigner', 'signer == quoteSigner', test('Pay')],
      ['        require(msg.sender == quote.payer, NotThePayer(quote.payer, msg.sender));\n', '', test('Pay')],
      ['today <= uint256(day) + 7', 'today <= uint256(day) + 8', test('Fund')],
      ['bytes32(reversed) < txid ? bytes32(reversed) : txid', 'txid', test('Fund')],
      ['evidence.index < MAX_OUTPUTS', 'evidence.index <= MAX_OUTPUTS', test('Fund')],
      ['predecessor.successor() != address(0)', 'predecessor.successor() == address(this)', test('NextVault')],
    ],
  ),
  ...mutantsOf(
    `${folder}/src/internal/Announcements.sol`,
    [`${folder}/test/NextVault.t.sol`],
    [['        _requireThatNoticesMayBegin();\n', '']],
  ),
  ...mutantsOf(
    `${folder}/src/internal/AcceptedRoles.sol`,
    [`${folder}/test/Administration.t.sol`],
    [
      ['block.timestamp <= agreement.until && ', ''],
      [' && hasRole(GUARDIAN_ROLE, agreement.other)', ''],
      ['        require(hasRole(GUARDIAN_ROLE, guardian), NotAGuardian(guardian));\n', ''],
      ['            delete dismissalAgreement[account];\n', ''],
    ],
  ),
]
