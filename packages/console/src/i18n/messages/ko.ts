import type { PartialMessages } from '../i18n.tsx';

export const messages: PartialMessages = {
  common: {
    cancel: '취소',
    close: '닫기',
    copy: '복사',
    delete: '삭제',
    download: '다운로드',
    run: '실행',
    save: '저장',
    search: '검색',
    retry: '다시 시도',
    states: {
      pending: '대기 중',
      in_progress: '실행 중',
      completed: '완료',
      failed: '실패',
      cancelled: '취소됨',
    },
  },
  shell: {
    home: '홈',
    workflows: '워크플로',
    jobs: '작업',
    gallery: '갤러리',
    studio: '스튜디오',
    registry: '레지스트리',
    workers: '워커',
    administration: '관리',
    account: '계정',
    signOut: '로그아웃',
  },
  signIn: {
    title: 'Atelier에 로그인',
    email: '이메일',
    password: '비밀번호',
    submit: '로그인',
  },
};
