import type { share as en } from '../en/share.ts'
import type { Translated } from '../translated.ts'

export const share: Translated<typeof en> = {
  text: '使用您的邀請碼註冊的人，將永久成為您邀請的會員。',
  qr: '您的邀請連結 QR Code',
  code: '邀請碼',
  copyCode: '複製邀請碼',
  link: '邀請連結',
  copyLink: '複製邀請連結',
  tail: '對方會看到您的地址末碼',
  share: '分享',
  message: '我的邀請碼：{{code}}',
  shareFailed: '系統無法分享，請改為複製連結。',
  savePicture: '儲存為圖片',
  pictureFailed: '此瀏覽器無法產生圖片，請改為複製連結。',
  inviter: '邀請人 {{tail}}',
  risk: '挖礦產出每天不同，也可能為零。任何人都無法承諾收益。',
  failed: '無法載入您的邀請',
  offlineText: '網路恢復後會自動載入您的邀請。',
}
