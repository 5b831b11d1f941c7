import { type Mutant, mutantsOf } from '../mutant.ts'

const folder = 'apps/web/src/chain/payment'

export const webPayment: readonly Mutant[] = [
  ...mutantsOf(
    `${folder}/payment-machine.ts`,
    [`${folder}/payment-machine.test.ts`],
    [
      ['{ ...payment, done: [], stage: { at: ', '{ ...payment, stage: { at: '],
      ["after.aside && after.stage.at !== 'unknown' ?", "after.aside && after.stage.at === 'sent' ?"],
      ["request === 'pay' ? (payment.fromBlock ?? event.block)", "request === 'pay' ? event.block"],
      [
        '? { ...payment, mayBeOut: true, stage: unknownStage(payment, event.now) }\n        : payment',
        '? { ...payment, stage: unknownStage(payment, event.now) }\n        : payment',
      ],
      [
        "if (stage.at !== 'mined' && stage.at !== 'confirming') return payment",
        "if (stage.at !== 'mined') return payment",
      ],
      ['&& !hasTransaction(payment, event.hash)\n', '\n'],
      [
        "case 'lapsed':\n      return mayFail(stage) ?",
        "case 'lapsed':\n      return isUnderWay(stage) ?",
        { tests: [`${folder}/order-rules.test.ts`] },
      ],
      ["stage.at === 'confirming' || !hasTransaction(payment, hash)", '!hasTransaction(payment, hash)'],
      ["stage.at === 'mined' && stage.hash === hash ? stage.block : null", 'null'],
      ['if (fromBlock === null || isEnded(payment)) return payment', 'if (isEnded(payment)) return payment'],
      [
        "const isFollowed = stage.at === 'sent' || stage.at === 'mined' ||",
        "const isFollowed = stage.at === 'mined' ||",
      ],
      ['left: payment.left.slice(1)', 'left: payment.left'],
      ["why: payment.sent.length > 0 ? 'not-seen' : 'answer-lost'", "why: 'answer-lost'"],
      [
        "if (stage.at === 'asking' && stage.request === 'pay')\n    return { ...payment, mayBeOut: true,",
        "if (stage.at === 'asking' && stage.request === 'pay')\n    return { ...payment,",
      ],
      [
        "  if (payment.mayBeOut && stage.at === 'paused') return { ...payment, stage: unknownStage(payment, now) }\n",
        '',
      ],
      ['if (knownBlock?.hash === block.hash) return payment', ''],
      [
        'mayBeOut: true, sent: [...payment.sent, { hash, nonce: null }]',
        'sent: [...payment.sent, { hash, nonce: null }]',
      ],
      [
        "mayFail = (stage: Stage): boolean => stage.at === 'sent' || stage.at === 'unknown'",
        "mayFail = (stage: Stage): boolean => stage.at === 'sent' || stage.at === 'unknown' || stage.at === 'mined'",
      ],
      [
        "return stage.at === 'asking' && stage.request === 'permit' ? completeRequest(payment) : payment",
        'return completeRequest(payment)',
      ],
    ],
  ),
  ...mutantsOf(
    `${folder}/payment.ts`,
    [`${folder}/payment-machine.test.ts`, `${folder}/order-rules.test.ts`],
    [
      ["stage.at === 'unknown' && stage.why !== 'no-node'", "stage.at === 'unknown'"],
      [
        "!mayBeOut && (stage.at === 'paused' || stage.at === 'approving')",
        "(stage.at === 'paused' || stage.at === 'approving')",
      ],
      ["stage.at === 'unknown' && sent.length === 0", "stage.at === 'unknown'"],
      ['purpose.deadline * 1_000 < now', 'purpose.deadline * 1_000 <= now'],
      ["right.kind === 'order' && left.orderId === right.orderId", "right.kind === 'order'"],
      ['  left.units === right.units', '  left.units <= right.units'],
    ],
  ),
  ...mutantsOf(
    `${folder}/derive-event.ts`,
    [`${folder}/derive-event.test.ts`],
    [
      ['failedReads >= REPORTED_FAILED_READS', 'failedReads > REPORTED_FAILED_READS'],
      ["stage.at === 'unknown' && stage.why === 'no-node'", "stage.at === 'unknown'"],
      ['now - stage.since >= NOT_SEEN_MS', 'now - stage.since > NOT_SEEN_MS'],
      ["return credit?.state === 'confirming' ? null : { type: 'unmined', now }", "return { type: 'unmined', now }"],
      ['if (reverted && reverted === snapshot.traces.at(-1))', 'if (reverted)'],
      ["if (snapshot.found) return { type: 'found', hash: snapshot.found, now }", ''],
      ["const canSeeAgain = stage.at === 'unknown' && stage.why === 'no-node'", 'const canSeeAgain = false'],
      ["credit?.state === 'confirming' && stage.at !== 'confirming'", "credit?.state === 'confirming'"],
    ],
  ),
  ...mutantsOf(
    `${folder}/order-rules.ts`,
    [`${folder}/order-rules.test.ts`],
    [
      ["named === hash?.toLowerCase() ? credit : 'none'", 'credit'],
      ["state === 'success' || toBalance", "state === 'success'"],
      ["state === 'failed' && !toBalance", "state === 'failed'"],
    ],
  ),
  ...mutantsOf(
    `${folder}/block-search.ts`,
    [`${folder}/block-search.test.ts`],
    [
      ['from = to + 1', 'from = to + 2'],
      ["if (latest.value < from) return refused('no-node')", ''],
      ['if (found.length === 0) emptyTo = to', 'emptyTo = to'],
      ['width <= MIN_PAGE_BLOCKS ||', 'width <= 1 ||'],
      ['emptyTo - REORGANIZATION_BLOCKS', 'emptyTo'],
    ],
  ),
  ...mutantsOf(
    `${folder}/payment-store.ts`,
    [`${folder}/payment-store.test.ts`],
    [
      ['mayBeOut ?? payment.fromBlock !== null', 'mayBeOut ?? false'],
      ['if (!storage.lasts) return false', ''],
      ['if (value > MAX_UNITS) context', 'if (value > MAX_UNITS * 10n) context'],
      ['right.intent.createdAt - left.intent.createdAt', 'left.intent.createdAt - right.intent.createdAt'],
      [
        'if (!all().some((one) => !isEnded(one) && isEquivalent',
        'if (all().some((one) => !isEnded(one) && isEquivalent',
      ],
    ],
  ),
]
