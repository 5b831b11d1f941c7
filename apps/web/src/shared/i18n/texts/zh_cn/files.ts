import type { files as en } from '../en/files.ts'
import type { Translated } from '../translated.ts'

export const files: Translated<typeof en> = {
  show: '在此显示',
  shared: '已交给您选择的应用。',
  download: '已交由浏览器下载。没有找到文件？',
  pictureText: '长按图片即可保存或发送。',
  textText: '复制文字，粘贴到您要保存的地方。',
  picture: '您的邀请：二维码、邀请码和链接',
  copy: '复制',
  share: '分享',
  shareFailed: '系统无法分享。',
}
