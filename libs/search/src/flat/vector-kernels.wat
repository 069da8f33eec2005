;; Products of one query with many vectors, in one linear memory. All sizes are in bytes unless said.
(module
  (memory (export "memory") 3)

  ;; scores[i] = query · row i, as i32. The query is i16, the rows are i8; size: numbers in a row, a multiple of 16.
  (func (export "scanRows")
    (param $query i32) (param $rows i32) (param $scores i32) (param $count i32) (param $size i32)
    (local $end i32) (local $at i32) (local $sum v128) (local $row v128)
    (if (i32.eqz (local.get $count)) (then (return)))
    (loop $next-row
      (local.set $sum (v128.const i32x4 0 0 0 0))
      (local.set $at (local.get $query))
      (local.set $end (i32.add (local.get $rows) (local.get $size)))
      (loop $next-part
        (local.set $row (v128.load (local.get $rows)))
        (local.set $sum
          (i32x4.add
            (local.get $sum)
            (i32x4.add
              (i32x4.dot_i16x8_s (i16x8.extend_low_i8x16_s (local.get $row)) (v128.load (local.get $at)))
              (i32x4.dot_i16x8_s (i16x8.extend_high_i8x16_s (local.get $row)) (v128.load offset=16 (local.get $at))))))
        (local.set $at (i32.add (local.get $at) (i32.const 32)))
        (local.set $rows (i32.add (local.get $rows) (i32.const 16)))
        (br_if $next-part (i32.lt_u (local.get $rows) (local.get $end))))
      (i32.store
        (local.get $scores)
        (i32.add
          (i32.add (i32x4.extract_lane 0 (local.get $sum)) (i32x4.extract_lane 1 (local.get $sum)))
          (i32.add (i32x4.extract_lane 2 (local.get $sum)) (i32x4.extract_lane 3 (local.get $sum)))))
      (local.set $scores (i32.add (local.get $scores) (i32.const 4)))
      (local.set $count (i32.sub (local.get $count) (i32.const 1)))
      (br_if $next-row (local.get $count))))

  ;; The signs of a row: one bit per number, 1 where it is below 0. size: as above, a multiple of 128.
  (func (export "sketchRow") (param $row i32) (param $sketch i32) (param $size i32)
    (local $end i32)
    (local.set $end (i32.add (local.get $row) (local.get $size)))
    (loop $next-part
      (i32.store16 (local.get $sketch) (i8x16.bitmask (v128.load (local.get $row))))
      (local.set $row (i32.add (local.get $row) (i32.const 16)))
      (local.set $sketch (i32.add (local.get $sketch) (i32.const 2)))
      (br_if $next-part (i32.lt_u (local.get $row) (local.get $end)))))

  ;; distances[i] = number of bits in which sketch i differs from the query's, as u16; tally[d], an i32, grows by one for each
  ;; sketch at distance d. size: bytes in a sketch, a multiple of 16.
  (func (export "scanSketches")
    (param $query i32) (param $sketches i32) (param $distances i32) (param $tally i32) (param $count i32) (param $size i32)
    (local $distance i32) (local $slot i32) (local $end i32) (local $whole i32) (local $at i32) (local $sum v128)
    (if (i32.eqz (local.get $count)) (then (return)))
    (loop $next-sketch
      (local.set $sum (v128.const i32x4 0 0 0 0))
      (local.set $at (local.get $query))
      (local.set $end (i32.add (local.get $sketches) (local.get $size)))
      (local.set $whole (i32.sub (local.get $end) (i32.const 64)))
      (block $no-whole
        (loop $next-whole
          (br_if $no-whole (i32.gt_u (local.get $sketches) (local.get $whole)))
          (local.set $sum
            (i16x8.add
              (local.get $sum)
              (i16x8.extadd_pairwise_i8x16_u
                (i8x16.add
                  (i8x16.add
                    (i8x16.popcnt (v128.xor (v128.load (local.get $sketches)) (v128.load (local.get $at))))
                    (i8x16.popcnt (v128.xor (v128.load offset=16 (local.get $sketches)) (v128.load offset=16 (local.get $at)))))
                  (i8x16.add
                    (i8x16.popcnt (v128.xor (v128.load offset=32 (local.get $sketches)) (v128.load offset=32 (local.get $at))))
                    (i8x16.popcnt (v128.xor (v128.load offset=48 (local.get $sketches)) (v128.load offset=48 (local.get $at)))))))))
          (local.set $at (i32.add (local.get $at) (i32.const 64)))
          (local.set $sketches (i32.add (local.get $sketches) (i32.const 64)))
          (br $next-whole)))
      (block $no-part
        (loop $next-part
          (br_if $no-part (i32.ge_u (local.get $sketches) (local.get $end)))
          (local.set $sum
            (i16x8.add
              (local.get $sum)
              (i16x8.extadd_pairwise_i8x16_u
                (i8x16.popcnt (v128.xor (v128.load (local.get $sketches)) (v128.load (local.get $at)))))))
          (local.set $at (i32.add (local.get $at) (i32.const 16)))
          (local.set $sketches (i32.add (local.get $sketches) (i32.const 16)))
          (br $next-part)))
      (local.set $sum (i32x4.extadd_pairwise_i16x8_u (local.get $sum)))
      (local.set $distance
        (i32.add
          (i32.add (i32x4.extract_lane 0 (local.get $sum)) (i32x4.extract_lane 1 (local.get $sum)))
          (i32.add (i32x4.extract_lane 2 (local.get $sum)) (i32x4.extract_lane 3 (local.get $sum)))))
      (i32.store16 (local.get $distances) (local.get $distance))
      (local.set $slot (i32.add (local.get $tally) (i32.shl (local.get $distance) (i32.const 2))))
      (i32.store (local.get $slot) (i32.add (i32.load (local.get $slot)) (i32.const 1)))
      (local.set $distances (i32.add (local.get $distances) (i32.const 2)))
      (local.set $count (i32.sub (local.get $count) (i32.const 1)))
      (br_if $next-sketch (local.get $count))))
)
