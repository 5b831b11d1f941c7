import type { share as en } from '../en/share.ts'
import type { Translated } from '../translated.ts'

export const share: Translated<typeof en> = {
  text: '使用您的邀请码注册的人，将永久成为您邀请的会员。',
  qr: '您的邀请链接二维码',
  code: '邀请码',
  copyCode: '复制邀请码',
  link: '邀请链接',
  copyLink: '复制邀请链接',
  tail: '对方会看到您的地址尾号',
  share: '分享',
  message: '我的邀请码：{{code}}',
  shareFailed: '系统无法分享，请改为复制链接。',
  savePicture: '保存为图片',
  pictureFailed: '此浏览器无法生成图片，请改为复制链接。',
  inviter: '邀请人 {{tail}}',
  risk: '挖矿产出每天不同，也可能为零。任何人都无法承诺收益。',
  failed: '邀请加载失败',
  offlineText: '网络恢复后将自动加载您的邀请。',
}
