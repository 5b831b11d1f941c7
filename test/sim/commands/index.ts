import type { Command } from '../world.ts'
import { coldStorageMoves } from './cold-storage.ts'
import { crashDatabase } from './crash-database.ts'
import { deposit } from './deposit.ts'
import { depositElsewhere } from './deposit-elsewhere.ts'
import { depositOfStranger } from './deposit-of-stranger.ts'
import { dropResponse } from './drop-response.ts'
import { endStop, proveAgain } from './end-stop.ts'
import { fakeToken } from './fake-token.ts'
import { forgeQuote } from './forge-quote.ts'
import { fundReserve } from './fund.ts'
import { approveDay, fundDividend, fundHugely, fundWrongly } from './fund-dividend.ts'
import { giveLevel } from './give-level.ts'
import { freezeAtFaultPoint, killAtFaultPoint } from './kill-at-fault-point.ts'
import { killApi, killSigner, killWorker } from './kill-process.ts'
import { login } from './login.ts'
import { mine } from './mine.ts'
import { clockGoesBack, clockMoves, daysPass } from './move-clock.ts'
import { pausePayouts, review } from './operators.ts'
import { ordersAtOnce } from './orders-at-once.ts'
import { applyForPartner, decideOnPartner, fillTeam } from './partners.ts'
import { payUnknownOrder } from './pay.ts'
import { plainAndDeposit } from './plain-and-deposit.ts'
import { plainTransfer } from './plain-transfer.ts'
import { closeHourComes, collect, collectAsPartner, killDuringDay, midnightComes, workerIsAway } from './production.ts'
import { changeAddress, newBrowser, protect } from './protect.ts'
import { publishPlan } from './publish-plan.ts'
import {
  cancelInFlight,
  cancelPurchase,
  killDuringOrder,
  ordersExpire,
  payAtDeadline,
  payOrder,
  pledging,
  promotion,
  purchasesAtOnce,
  reorganizePaid,
} from './purchase.ts'
import { readPages } from './read-pages.ts'
import { register } from './register.ts'
import { registerAsMoneyArrives } from './register-as-money-arrives.ts'
import { reorganize } from './reorganize.ts'
import { repeatSignature } from './repeat-signature.ts'
import { revertedDeposit } from './reverted-deposit.ts'
import { secondSigner, secondWorker } from './second-process.ts'
import { cutNodeConnection, stopNode } from './stop-node.ts'
import { authorizeExpert, claimThanksgiving } from './thanksgiving.ts'
import { cancel, transfer, transferAndCancel, transfersAtOnce } from './transfer-out.ts'
import { twoDepositsInABlock } from './two-deposits-in-a-block.ts'
import { dropTransactions, emptyFloat, lowerCap, pauseVault, raiseBlockFee, refuseReceiver } from './vault.ts'

/** Every command of the simulator. A new command is a file here and a line in this list. */
export const commands: readonly Command[] = [
  // actions of members
  register,
  registerAsMoneyArrives,
  login,
  repeatSignature,
  dropResponse,
  readPages,
  ordersAtOnce,
  transfer,
  transfersAtOnce,
  cancel,
  transferAndCancel,
  promotion,
  pledging,
  purchasesAtOnce,
  payOrder,
  payAtDeadline,
  cancelPurchase,
  cancelInFlight,
  claimThanksgiving,
  collect,
  collectAsPartner,
  fillTeam,
  applyForPartner,
  protect,
  changeAddress,
  newBrowser,
  // actions of operators
  review,
  pausePayouts,
  publishPlan,
  authorizeExpert,
  decideOnPartner,
  approveDay,
  endStop,
  proveAgain,
  giveLevel,
  // events on the chain
  deposit,
  depositOfStranger,
  plainTransfer,
  plainAndDeposit,
  twoDepositsInABlock,
  fakeToken,
  revertedDeposit,
  depositElsewhere,
  payUnknownOrder,
  forgeQuote,
  fundReserve,
  fundDividend,
  fundHugely,
  fundWrongly,
  coldStorageMoves,
  mine,
  reorganize,
  reorganizePaid,
  ordersExpire,
  pauseVault,
  lowerCap,
  emptyFloat,
  refuseReceiver,
  raiseBlockFee,
  dropTransactions,
  // faults
  killApi,
  killWorker,
  killSigner,
  killAtFaultPoint,
  freezeAtFaultPoint,
  killDuringOrder,
  killDuringDay,
  workerIsAway,
  secondWorker,
  secondSigner,
  crashDatabase,
  stopNode,
  cutNodeConnection,
  clockMoves,
  midnightComes,
  closeHourComes,
  daysPass,
  clockGoesBack,
]
