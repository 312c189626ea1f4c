package dev.peregrine.bench.compare.load;

/**
 * The result of a generator.
 *
 * @param requests number of answered requests
 * @param seconds duration of the run
 * @param errors of any kind: connections that broke, other statuses than 200, no answer in time
 */
public record LoadResult(long requests, double seconds, long errors, Latencies latencies) {}
