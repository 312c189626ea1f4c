package dev.peregrine.http;

/**
 * The renderers that Peregrine has; not lambdas, each of which takes a start most of a millisecond.
 */
enum OwnRenderer implements ErrorRenderer {
  PLAIN,
  PROBLEM_JSON;

  @Override
  public ErrorContent render(HttpError error) {
    return this == PLAIN ? ErrorContent.plain(error) : ErrorContent.problemJson(error);
  }
}
