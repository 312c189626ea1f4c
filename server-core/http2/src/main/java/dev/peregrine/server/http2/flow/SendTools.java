package dev.peregrine.server.http2.flow;

import dev.peregrine.server.http2.frame.DataFrames;
import dev.peregrine.server.http2.head.HeadEncoder;
import dev.peregrine.server.memory.BufferPool;
import dev.peregrine.server.pace.DataRate;

/**
 * The parts with which the streams of an event loop send.
 *
 * @param takingRate the rate at which clients take content that a window holds back
 * @param highWater bytes of a stream above which an application waits
 */
public record SendTools(
    DataFrames data, HeadEncoder encoder, BufferPool pool, DataRate takingRate, int highWater) {}
