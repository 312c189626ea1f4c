package dev.peregrine.http;

/** The renderers that Peregrine has; not lambdas, to start sooner. */
enum OwnRenderer implements ErrorRenderer {
  PLAIN,
  PROBLEM_JSON;

  @Override
  public ErrorContent render(HttpError error) {
    return this == PLAIN ? ErrorContent.plain(error) : ErrorContent.problemJson(error);
  }
}
