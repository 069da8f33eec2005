import * as Type from 'typebox';

const Path = Type.String({ minLength: 1, maxLength: 4_096 });

export const MoveProjectRequest = Type.Object(
  {
    from: Type.String({
      minLength: 1,
      maxLength: 4_096,
      description: 'Name or key of a known project, or its folder',
    }),
    fromFolder: Type.Optional(
      Type.String({
        maxLength: 4_096,
        description: 'Absolute path for which `from` is an alias, when `from` is a folder',
      }),
    ),
    to: Type.String({ minLength: 1, maxLength: 4_096, description: 'Absolute path of the new folder' }),
    merge: Type.Optional(
      Type.Boolean({ description: 'Also when the new folder has records of its own; cannot be undone' }),
    ),
    force: Type.Optional(
      Type.Boolean({ description: 'Also when the old folder still exists or the new one does not' }),
    ),
  },
  { additionalProperties: false },
);
export type MoveProjectRequest = Type.Static<typeof MoveProjectRequest>;

const Project = Type.Object({ key: Path, name: Type.String() });

export const MoveProjectReply = Type.Object({
  from: Project,
  project: Type.Object(
    { key: Path, name: Type.String() },
    { description: 'The project that has the records now' },
  ),
  observations: Type.Integer({ minimum: 0, description: 'Moved observations' }),
  isMerged: Type.Boolean({ description: 'True when the folder had records of its own' }),
});
export type MoveProjectReply = Type.Static<typeof MoveProjectReply>;
