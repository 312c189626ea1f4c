package dev.peregrine.bench.compare.load;

/**
 * The result of a generator.
 *
 * @param requests that were answered
 * @param seconds that it took
 * @param errors of any kind: connections that broke, other statuses than 200, no answer in time
 */
public record LoadResult(long requests, double seconds, long errors, Latencies latencies) {}
