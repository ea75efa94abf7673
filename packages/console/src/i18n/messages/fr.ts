import type { PartialMessages } from '../i18n.tsx';

export const messages: PartialMessages = {
  common: {
    cancel: 'Annuler',
    close: 'Fermer',
    copy: 'Copier',
    delete: 'Supprimer',
    download: 'Télécharger',
    run: 'Exécuter',
    save: 'Enregistrer',
    search: 'Rechercher',
    retry: 'Réessayer',
    states: {
      pending: 'En attente',
      in_progress: 'En cours',
      completed: 'Terminé',
      failed: 'Échec',
      cancelled: 'Annulé',
    },
  },
  shell: {
    home: 'Accueil',
    workflows: 'Workflows',
    jobs: 'Tâches',
    gallery: 'Galerie',
    studio: 'Studio',
    registry: 'Registre',
    workers: 'Workers',
    administration: 'Administration',
    account: 'Compte',
    signOut: 'Se déconnecter',
  },
  signIn: {
    title: 'Se connecter à Atelier',
    email: 'E-mail',
    password: 'Mot de passe',
    submit: 'Se connecter',
  },
};
